import io.trino.grammar.sql.SqlKeywords;
import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.Node;
import io.trino.sql.tree.NodeLocation;
import io.trino.sql.tree.QualifiedName;
import io.trino.sql.tree.Query;
import io.trino.sql.tree.Table;
import io.trino.sql.tree.TableFunctionInvocation;
import io.trino.sql.tree.Union;
import io.trino.sql.tree.With;
import io.trino.sql.tree.WithQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Trino's parser and its tree (io.trino.sql.tree). */
public class Trino extends Child {
    /** What queries have in 476 or 484 and not in 435: the tokens of both grammars. */
    private static final Pattern NEWER = Pattern.compile(
            "\\b(ASYMMETRIC|CORRESPONDING|EXCLUDE|JSON_SERIALIZE|NEAREST|OVERLAPS|OVERLAY|PIVOT"
            + "|SYMMETRIC)\\b|\\bWITHIN\\s+GROUP\\s*\\([^()]*\\)\\s*OVER\\b",
            Pattern.CASE_INSENSITIVE);
    /** The same of tokens that 435 has, too: an error right there is of these. */
    private static final Pattern NEWER_HERE = Pattern.compile(
            "\\bWITH\\s+SESSION\\b|=>|::(?=\\s*\\w+\\s*\\()|\\bAT\\s+LOCAL\\b"
            + "|\\bWHEN\\s*([<>=!]|(NOT\\s+)?(IN|BETWEEN|LIKE)\\b|IS\\b)",
            Pattern.CASE_INSENSITIVE);
    /** Its fields may have names since 479. */
    private static final Pattern ROW = Pattern.compile(
            "\\bROW\\s*\\(", Pattern.CASE_INSENSITIVE);
    private static final Pattern TEXTS = Pattern.compile(
            "'[^']*'|\"[^\"]*\"|--[^\\n]*|/\\*(?:.*?\\*/|.*)", Pattern.DOTALL);
    private static final boolean IS_OLD = !SqlKeywords.sqlKeywords().contains("CORRESPONDING");
    private final SqlParser parser = new SqlParser();
    private String statement = ""; // the one at hand
    private boolean mayBeNewer;

    public static void main(String[] arguments) throws Exception {
        new Trino().serve();
    }

    /** Trino casts the text of a view to a query, and fails on any other statement. */
    protected Object parse(String sql) {
        statement = sql;
        mayBeNewer = IS_OLD && NEWER.matcher(sql).find();
        Node tree = parser.createStatement(sql);
        if (tree instanceof Query) return tree;
        String kind = tree.getClass().getSimpleName();
        throw new ParsingException("mismatched input: the text of a view is a query, not " + kind,
                new NodeLocation(1, 1));
    }

    /** A text with a word that later releases brought is for their parsers. */
    protected boolean refuses(Throwable error) {
        return !isNewer(error);
    }

    private boolean isNewer(Throwable error) {
        if (!IS_OLD || !(error instanceof ParsingException)) return false;
        return mayBeNewer || isAtNewer((ParsingException) error);
    }

    private boolean isAtNewer(ParsingException error) {
        int place = error.getColumnNumber() - 1;
        for (int line = 1, at = 0; line < error.getLineNumber(); line++) {
            int next = statement.indexOf('\n', at) + 1;
            place += next - at;
            at = next;
        }
        String plain = withoutTexts();
        Matcher found = NEWER_HERE.matcher(plain);
        while (found.find() && found.start() <= place) {
            int end = found.end();
            while (end < plain.length() && Character.isWhitespace(plain.charAt(end))) end++;
            if (place <= end) return true;
        }
        return isInRow(plain, place);
    }

    /** The statement with blanks for what is quoted or a comment: all else is where it was. */
    private String withoutTexts() {
        char[] signs = statement.toCharArray();
        Matcher found = TEXTS.matcher(statement);
        while (found.find()) Arrays.fill(signs, found.start(), found.end(), ' ');
        return new String(signs);
    }

    /** Whether a place is within the brackets of a ROW. */
    private static boolean isInRow(String plain, int place) {
        Set rows = new HashSet();
        Matcher found = ROW.matcher(plain);
        while (found.find()) rows.add(Integer.valueOf(found.end() - 1));
        BitSet open = new BitSet();
        int depth = 0;
        for (int at = 0; at < place && at < plain.length(); at++) {
            if (plain.charAt(at) == '(') open.set(depth++, rows.contains(Integer.valueOf(at)));
            if (plain.charAt(at) == ')' && depth > 0) open.clear(--depth);
        }
        return !open.isEmpty();
    }

    protected String message(Throwable refusal) {
        String told = super.message(refusal);
        return isNewer(refusal) ? "newer releases of Trino have more words: " + told : told;
    }

    protected int[] position(Throwable refusal) {
        if (!(refusal instanceof ParsingException)) return null;
        ParsingException error = (ParsingException) refusal;
        return new int[] {error.getLineNumber(), error.getColumnNumber()};
    }

    protected void read(Object tree, Names names) {
        Node node = (Node) tree;
        if (node instanceof Table) names.table(parts(((Table) node).getName()));
        if (node instanceof FunctionCall) called(((FunctionCall) node).getName(), names);
        if (node instanceof TableFunctionInvocation) {
            called(((TableFunctionInvocation) node).getName(), names);
        }
        Set outside = names.enter();
        if (node instanceof Query && ((Query) node).getWith().isPresent()) {
            define((With) ((Query) node).getWith().get(), names);
        }
        for (Object child : node.getChildren()) {
            if (!(child instanceof With)) read(child, names);
        }
        names.leave(outside);
    }

    /** A name that the text does not spell is the parser's, of syntax: `a || b`, `POSITION`. */
    private static void called(QualifiedName name, Names names) {
        Identifier first = (Identifier) name.getOriginalParts().get(0);
        if (first.getLocation().isPresent()) names.function(parts(name));
    }

    /** A query of a recursive clause sees itself if it is a union, and never those after it. */
    private void define(With with, Names names) {
        for (Object one : with.getQueries()) {
            WithQuery query = (WithQuery) one;
            boolean union = query.getQuery().getQueryBody() instanceof Union;
            if (with.isRecursive() && union) names.define(query.getName().getValue());
            read(query.getQuery(), names);
            names.define(query.getName().getValue());
        }
    }

    private static List parts(QualifiedName name) {
        List parts = new ArrayList();
        for (Object part : name.getOriginalParts()) parts.add(((Identifier) part).getValue());
        return parts;
    }
}
