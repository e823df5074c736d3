import io.trino.Session;
import io.trino.execution.querystats.PlanOptimizersStatsCollector;
import io.trino.execution.warnings.WarningCollector;
import io.trino.metadata.AnalyzePropertyManager;
import io.trino.metadata.TablePropertyManager;
import io.trino.security.AllowAllAccessControl;
import io.trino.spi.ErrorType;
import io.trino.spi.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.sql.analyzer.Analysis;
import io.trino.sql.analyzer.AnalyzerFactory;
import io.trino.sql.analyzer.Field;
import io.trino.sql.analyzer.StatementAnalyzerFactory;
import io.trino.sql.rewrite.StatementRewrite;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.Node;
import io.trino.sql.tree.SimpleGroupBy;
import io.trino.sql.tree.Statement;
import io.trino.testing.TestingSession;
import io.trino.transaction.TransactionId;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Trino's analyzer, over catalogs that hold what the view at hand reads (`TrinoStubs`).
 *
 * The text is analyzed in the view's own catalog and schema; where it returns other columns than
 * the view stores, the view is put there with those, and a query on it is analyzed: so it is Trino
 * that compares them (`StatementAnalyzer.checkViewStaleness`). No server, no data.
 *
 * The settings of a statement are: catalog, schema and name of the view; its columns; catalog and
 * schema of its short names, empty where there is none; the number of tables, and for each its
 * catalog, its schema, its name, its columns; the number of schemas in its path, and for each its
 * catalog and its name; the number of functions, and for each its catalog, its schema, its name,
 * the type that it returns, the number of its parameters, their types. Columns are their number,
 * and name and Trino's type of each.
 */
public class TrinoAnalyzer extends Trino {
    private final TrinoStubs stubs;
    private final Session session =
            TestingSession.testSessionBuilder().setTransactionId(TransactionId.create()).build();
    private final AnalyzerFactory analyzers;
    private Names names = new Names(false);
    private String[] given;
    private int next;
    private RuntimeException fault; // of the settings: a type that this Trino does not have
    private String[] place;
    private String[] context;
    private List declared;
    private final List path = new ArrayList();

    public TrinoAnalyzer() throws Exception {
        stubs = new TrinoStubs();
        StatementAnalyzerFactory statements =
                StatementAnalyzerFactory.createTestingStatementAnalyzerFactory(
                        stubs.context(), new AllowAllAccessControl(),
                        new TablePropertyManager(TrinoStubs.nothing()),
                        new AnalyzePropertyManager(TrinoStubs.nothing()));
        analyzers = new AnalyzerFactory(statements,
                new StatementRewrite(Collections.EMPTY_SET), stubs.context().getTracer());
        configure(new String[] {"lake", "db", "v", "0", "lake", "db", "0", "0", "0"});
    }

    /** What Trino stands on greets on the standard output, which is for answers. */
    static TrinoAnalyzer made() throws Exception {
        System.setProperty("jol.skipDynamicAttach", "true"); // another process, for no use
        System.setProperty("jol.skipHotspotSAAttach", "true");
        PrintStream answers = System.out;
        System.setOut(System.err);
        TrinoAnalyzer made = new TrinoAnalyzer();
        System.setOut(answers);
        return made;
    }

    public static void main(String[] arguments) throws Exception {
        made().serve();
    }

    protected void configure(String[] settings) {
        given = settings;
        next = 0;
        fault = null;
        stubs.clear();
        path.clear();
        place = new String[] {text(), text(), text()};
        declared = columns();
        context = new String[] {text(), text()};
        try {
            for (int n = Integer.parseInt(text()); n > 0; n--) {
                stubs.table(new String[] {text(), text(), text()}, columns());
            }
            for (int n = Integer.parseInt(text()); n > 0; n--) {
                path.add(new CatalogSchemaName(text(), text()));
            }
            for (int n = Integer.parseInt(text()); n > 0; n--) {
                stubs.function(new String[] {text(), text(), text()}, text(), types());
            }
        } catch (RuntimeException unknown) {
            fault = unknown;
        }
    }

    private String text() {
        return given[next++];
    }

    private List types() {
        List found = new ArrayList();
        for (int n = Integer.parseInt(text()); n > 0; n--) found.add(text());
        return found;
    }

    private List columns() {
        List made = new ArrayList();
        for (int n = Integer.parseInt(text()); n > 0; n--) {
            made.add(new String[] {text(), text()});
        }
        return made;
    }

    protected Names names() {
        names = super.names();
        return names;
    }

    protected Object parse(String sql) {
        if (fault != null) throw fault;
        Statement tree = (Statement) super.parse(sql);
        String newer = newer(tree);
        if (newer != null) throw new IllegalStateException(newer + ": newer releases differ");
        Collection found = analyzed(tree).getOutputDescriptor().getVisibleFields();
        names.columns(told(found));
        if (declared.isEmpty() || isDeclared(found)) return tree;
        stubs.view(place, declared, context, path, sql);
        analyzed((Statement) super.parse("SELECT * FROM " + quoted(place)));
        return tree;
    }

    /** What of a statement 476 accepts and this release refuses, though it parses; null: nothing. */
    private static String newer(Node node) {
        if (node instanceof SimpleGroupBy) {
            List by = ((SimpleGroupBy) node).getExpressions();
            if (by.size() == 1 && isWord(by.get(0), "auto")) return "GROUP BY AUTO";
        }
        if (node instanceof FunctionCall && ((FunctionCall) node).getWindow().isPresent()) {
            FunctionCall call = (FunctionCall) node;
            if (call.isDistinct()) return "DISTINCT in a window function";
            if (call.getOrderBy().isPresent()) return "ORDER BY in a window function";
        }
        for (Object child : node.getChildren()) {
            String below = newer((Node) child);
            if (below != null) return below;
        }
        return null;
    }

    private static boolean isWord(Object one, String word) {
        if (!(one instanceof Identifier) || ((Identifier) one).isDelimited()) return false;
        return ((Identifier) one).getValue().equalsIgnoreCase(word);
    }

    private static String quoted(String[] parts) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            made.append(i == 0 ? "\"" : ".\"").append(parts[i].replace("\"", "\"\"")).append("\"");
        }
        return made.toString();
    }

    protected void read(Object tree, Names names) {} // names were told by the parser

    /** As the text of a view is analyzed when that is read. */
    private Analysis analyzed(Statement statement) {
        Session within = session.createViewSession(TrinoStubs.optional(context[0]),
                TrinoStubs.optional(context[1]), TrinoStubs.OWNER, path);
        return analyzers.createAnalyzer(within, Collections.EMPTY_LIST, Collections.EMPTY_MAP,
                WarningCollector.NOOP,
                PlanOptimizersStatsCollector.createPlanOptimizersStatsCollector())
                .analyze(statement);
    }

    /** Whether the columns are those that the view stores: then there is nothing to compare. */
    private boolean isDeclared(Collection fields) {
        if (fields.size() != declared.size()) return false;
        Iterator stored = declared.iterator();
        for (Object one : fields) {
            Field field = (Field) one;
            String[] column = (String[]) stored.next();
            if (!field.getName().isPresent()) return false;
            if (!column[0].equalsIgnoreCase((String) field.getName().get())) return false;
            if (!stubs.type(column[1]).equals(field.getType())) return false;
        }
        return true;
    }

    /** Name and type of each column; one without a name has an empty one. */
    private static String told(Collection fields) {
        StringBuilder told = new StringBuilder("[");
        for (Object one : fields) {
            Field field = (Field) one;
            String name = String.valueOf(field.getName().orElse(""));
            told.append(told.length() == 1 ? "[" : ",[").append(Names.quoted(name));
            told.append(",").append(Names.quoted(field.getType().getTypeId().getId())).append("]");
        }
        return told.append("]").toString();
    }

    /** What the text says is for the parser: a newer one may know it. */
    protected boolean refuses(Throwable error) {
        if (!(error instanceof TrinoException)) return false;
        return ((TrinoException) error).getErrorCode().getType() == ErrorType.USER_ERROR;
    }

    protected String message(Throwable error) {
        if (!(error instanceof TrinoException)) return super.message(error);
        return ((TrinoException) error).getRawMessage();
    }

    protected int[] position(Throwable refusal) {
        if (!(refusal instanceof TrinoException)) return super.position(refusal);
        Optional place = ((TrinoException) refusal).getLocation();
        if (!place.isPresent()) return null;
        Location found = (Location) place.get();
        return new int[] {found.getLineNumber(), found.getColumnNumber()};
    }
}
