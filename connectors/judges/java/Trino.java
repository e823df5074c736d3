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
import java.util.List;
import java.util.Set;

/** Trino's parser and its tree (io.trino.sql.tree). */
public class Trino extends Child {
    private final SqlParser parser = new SqlParser();

    public static void main(String[] arguments) throws Exception {
        new Trino().serve();
    }

    /** Trino casts the text of a view to a query, and fails on any other statement. */
    protected Object parse(String sql) {
        Node tree = parser.createStatement(sql);
        if (tree instanceof Query) return tree;
        String kind = tree.getClass().getSimpleName();
        throw new ParsingException("mismatched input: the text of a view is a query, not " + kind,
                new NodeLocation(1, 1));
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
