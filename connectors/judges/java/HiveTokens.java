import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.runtime.tree.Tree;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Hive's tree of tokens (HiveParser.g), whichever release has made it. */
public abstract class HiveTokens extends Child {
    private static final Pattern PLACE = Pattern.compile("line (\\d+):(\\d+)");
    private static final Set SYNTAX = new HashSet(Arrays.asList(new String[] {"between", "in"}));

    protected int[] position(Throwable refusal) {
        Matcher found = PLACE.matcher(String.valueOf(refusal.getMessage()));
        if (!found.find()) return null;
        return new int[] {Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)) + 1};
    }

    protected void read(Object tree, Names names) {
        Tree node = (Tree) tree;
        int type = node.getType();
        if (type == HiveParser.TOK_TABNAME) {
            names.table(table(node));
            return;
        }
        if (type == HiveParser.TOK_ALLCOLREF || type == HiveParser.TOK_TABLE_OR_COL) {
            return; // `alias.*` and columns: what stands before the dot is a name of FROM's
        }
        if (isFunction(type) && isCalled(node.getChild(0))) {
            names.function(called(node.getChild(0)));
        }
        Set outside = names.enter();
        for (int i = 0; i < node.getChildCount(); i++) {
            if (node.getChild(i).getType() == HiveParser.TOK_CTE) define(node.getChild(i), names);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (node.getChild(i).getType() != HiveParser.TOK_CTE) read(node.getChild(i), names);
        }
        names.leave(outside);
    }

    private static boolean isFunction(int type) {
        return type == HiveParser.TOK_FUNCTION || type == HiveParser.TOK_FUNCTIONDI
                || type == HiveParser.TOK_FUNCTIONSTAR;
    }

    /** BETWEEN and IN are functions by words of the grammar. */
    private static boolean isCalled(Tree name) {
        if (name.getType() != HiveParser.Identifier) return false;
        return !SYNTAX.contains(name.getText().toLowerCase(Locale.ROOT));
    }

    /**
     * Each of a WITH clause: its query, then its name. A query sees all the others, the later ones,
     * too (`SemanticAnalyzer.findCTEFromName`; a live Hive 2.3.10).
     */
    private void define(Tree with, Names names) {
        int count = with.getChildCount();
        for (int i = 0; i < count; i++) {
            Set outside = names.enter();
            for (int j = 0; j < count; j++) {
                if (j != i) names.define(name(with.getChild(j).getChild(1)));
            }
            read(with.getChild(i).getChild(0), names);
            names.leave(outside);
        }
        for (int i = 0; i < count; i++) names.define(name(with.getChild(i).getChild(1)));
    }

    /** The whole name is one token, each part of it in quotes of its own; a dot is in none. */
    private static List called(Tree node) {
        List parts = new ArrayList();
        for (String part : node.getText().split("\\.")) {
            parts.add(BaseSemanticAnalyzer.unescapeIdentifier(part));
        }
        return parts;
    }

    /** Hive looks `db.t` up by its one name, and parts that at dots (`Utilities.getDbTableName`). */
    private static List table(Tree node) {
        List parts = new ArrayList();
        for (int i = 0; i < node.getChildCount(); i++) {
            parts.addAll(Arrays.asList(name(node.getChild(i)).split("\\.")));
        }
        return parts;
    }

    private static String name(Tree node) {
        return BaseSemanticAnalyzer.unescapeIdentifier(node.getText());
    }
}
