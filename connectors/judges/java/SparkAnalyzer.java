import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry$;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry$;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.catalog.CatalogStorageFormat$;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.CatalogTable$;
import org.apache.spark.sql.catalyst.catalog.CatalogTableType$;
import org.apache.spark.sql.catalyst.catalog.InMemoryCatalog;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.connector.catalog.CatalogNotFoundException;
import org.apache.spark.sql.connector.catalog.V1Table;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType$;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.Platform;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;

/**
 * Spark's analyzer, over catalogs that hold what the view at hand reads (`Stubs`).
 *
 * The view is put into Spark's own catalog as an entry of a metastore would be (`CatalogTable`), and
 * read: so it is Spark that parses it under its settings, completes its names in its context, looks
 * for its columns in what the query returns and casts them (`SessionCatalog.getRelation`). No
 * session, no data: the rules of `spark-catalyst` alone.
 *
 * The settings of a statement are: how its columns are found (`names` or `positions`); database and
 * name of the view; its columns (Spark's JSON); the number of its properties, and key and value of
 * each; the number of catalogs beside Spark's own, and their names; the number of tables, and for
 * each the number of parts of its name, the parts, its columns; the number of functions, and for
 * each its database, its name, what it returns, the number of its parameters, and name and type of
 * each, and whether it may be missing: empty, if not.
 */
public class SparkAnalyzer extends Spark {
    private static final String EVOLVES = "EVOLUTION";
    private static final String CATALOG = "spark.sql.catalog.";
    private static final String ANSI = "spark.sql.ansi.enabled";
    private static final String KEPT = "view.sqlConfig." + ANSI;
    private static final String OUTPUT = "view.query.out.";
    private static final Method ENTRY = longest(CatalogTable$.class);
    private final SessionCatalog session;
    private final SparkFunctions functions;
    private final Map analyzers = new HashMap(); // by the catalogs that there are
    private Names names = new Names(false);
    private String[] given;
    private int next;
    private SQLConf conf;
    private Analyzer analyzer;
    private String[] place;
    private StructType columns;
    private Map properties;
    private boolean positions;

    public SparkAnalyzer() throws Exception {
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader()); // has `Stubs`
        FunctionRegistry known = FunctionRegistry$.MODULE$.builtin().clone(); // as sessions do
        session = new SessionCatalog(
                new InMemoryCatalog(new SparkConf(false), new Configuration(false)),
                known, TableFunctionRegistry$.MODULE$.builtin());
        Field parser = SessionCatalog.class.getDeclaredField("parser");
        parser.setAccessible(true);
        parser.set(session, new SparkSqlParser()); // as sessions have it: Catalyst's own knows less
        functions = new SparkFunctions(session, known);
        Stubs.calls(functions);
        String nothing = new StructType().json();
        configure(new String[] {"names", "db", "v", nothing, "0", "0", "0", "0"});
    }

    public static void main(String[] arguments) throws Exception {
        new SparkAnalyzer().serve();
    }

    protected void configure(String[] settings) throws Exception {
        given = settings;
        next = 0;
        positions = text().equals("positions");
        place = new String[] {Stubs.SESSION, text(), text()};
        columns = (StructType) DataType$.MODULE$.fromJson(text());
        properties = new HashMap();
        for (int n = number(); n > 0; n--) properties.put(text(), text());
        conf = new SQLConf();
        conf.settings().put(CATALOG + Stubs.SESSION, "Stubs");
        String catalogs = "";
        for (int n = number(); n > 0; n--) {
            String name = text();
            conf.settings().put(CATALOG + name, "Stubs");
            catalogs += name + "\u0000";
        }
        analyzer = (Analyzer) analyzers.get(catalogs);
        if (analyzer == null) analyzers.put(catalogs, analyzer = made());
        Stubs.clear();
        for (int n = number(); n > 0; n--) {
            String[] table = new String[number()];
            for (int i = 0; i < table.length; i++) table[i] = text();
            Stubs.put(table, Stubs.of(table, (StructType) DataType$.MODULE$.fromJson(text())));
        }
        functions.clear();
        for (int n = number(); n > 0; n--) functions.put(text(), text(), text(), parameters());
        if (positions) properties.putIfAbsent(KEPT, conf.getConfString(ANSI));
    }

    private String text() {
        return given[next++];
    }

    private int number() {
        return Integer.parseInt(text());
    }

    private List parameters() {
        List found = new ArrayList();
        for (int n = number(); n > 0; n--) found.add(new String[] {text(), text(), text()});
        return found;
    }

    protected Names names() {
        names = super.names();
        return names;
    }

    protected Object parse(final String sql) throws Exception {
        return SQLConf.withExistingConf(conf, new AbstractFunction0() {
            public Object apply() {
                try {
                    return positions ? byPosition(sql) : byName(sql, properties);
                } catch (Exception error) {
                    Platform.throwException(error);
                    return null;
                }
            }
        });
    }

    protected void read(Object tree, Names names) {} // names were told by the parser

    /** The columns that the query returns are told if it is the view's own that do not fit, too. */
    private LogicalPlan byName(String sql, Map properties) throws Exception {
        View view;
        try {
            view = analyzed(entry(sql, properties));
        } catch (Exception error) {
            try {
                returned(sql);
            } catch (Exception same) {
                // of the query itself
            }
            throw error;
        }
        boolean evolves = view.desc().viewSchemaMode().toString().equals(EVOLVES);
        LogicalPlan query = evolves ? view.child() : (LogicalPlan) view.child().children().head();
        names.columns(query.schema().json());
        return view;
    }

    /** Views of Iceberg: its columns are those of the query by their numbers, whatever the names. */
    private LogicalPlan byPosition(String sql) throws Exception {
        String[] found = returned(sql).fieldNames();
        Map numbered = new HashMap(properties);
        int wanted = columns.length();
        numbered.put(OUTPUT + "numCols", String.valueOf(wanted));
        for (int i = 0; i < wanted; i++) {
            numbered.put(OUTPUT + "col." + i, i < found.length ? found[i] : columns.apply(i).name());
        }
        return analyzed(entry(sql, numbered));
    }

    /** What the query returns, without what the view makes of it. */
    private StructType returned(String sql) throws Exception {
        Map evolving = new HashMap(properties);
        evolving.put("view.schemaMode", EVOLVES);
        StructType found = analyzed(entry(sql, evolving)).child().schema();
        names.columns(found.json());
        return found;
    }

    private View analyzed(CatalogTable entry) {
        Stubs.put(place, V1Table.apply(entry));
        LogicalPlan read = new UnresolvedRelation(
                CollectionConverters.asScala(Arrays.asList(place)).toSeq(),
                CaseInsensitiveStringMap.empty(), false);
        QueryPlanningTracker tracker = new QueryPlanningTracker(Option.empty());
        LogicalPlan done = analyzer.executeAndCheck(read, tracker);
        while (!(done instanceof View)) done = (LogicalPlan) done.children().head();
        return (View) done;
    }

    /** As `HiveExternalCatalog` makes it of an entry. */
    private CatalogTable entry(String sql, Map properties) throws Exception {
        Object[] values = new Object[ENTRY.getParameterCount()];
        values[0] = new TableIdentifier(place[2], Option.apply(place[1]));
        values[1] = CatalogTableType$.MODULE$.VIEW();
        values[2] = CatalogStorageFormat$.MODULE$.empty();
        values[3] = columns;
        for (int i = 4; i < values.length; i++) {
            values[i] = CatalogTable$.class.getMethod("apply$default$" + (i + 1))
                    .invoke(CatalogTable$.MODULE$);
        }
        Object version = properties.get("spark.sql.create.version");
        values[10] = version == null ? "2.2 or prior" : version;
        values[11] = Map$.MODULE$.from(CollectionConverters.asScala(properties));
        values[13] = Option.apply(sql);
        return (CatalogTable) ENTRY.invoke(CatalogTable$.MODULE$, values);
    }

    /** Releases differ in what may be left out, which the classes themselves say. */
    private Analyzer made() throws Exception {
        Stubs own = new Stubs();
        own.initialize(Stubs.SESSION, CaseInsensitiveStringMap.empty());
        Constructor making = Analyzer.class.getConstructors()[0];
        for (Constructor one : Analyzer.class.getConstructors()) {
            if (one.getParameterTypes()[0] != SessionCatalog.class) making = one;
        }
        Object[] values = new Object[making.getParameterCount()];
        values[0] = manager().newInstance(new Object[] {own, session});
        for (int i = 1; i < values.length; i++) {
            String left = "$lessinit$greater$default$" + (i + 1);
            values[i] = Analyzer.class.getMethod(left).invoke(null);
        }
        return (Analyzer) making.newInstance(values);
    }

    private static Constructor manager() throws Exception {
        String name = "org.apache.spark.sql.connector.catalog.CatalogManager";
        Class found = Class.forName(name);
        if (found.isInterface()) found = Class.forName(name.replace(".Cat", ".DefaultCat")); // 4.3
        return found.getConstructors()[0];
    }

    private static Method longest(Class owner) {
        Method found = null;
        for (Method one : owner.getMethods()) {
            if (!one.getName().equals("apply")) continue;
            if (found == null || one.getParameterCount() > found.getParameterCount()) found = one;
        }
        return found;
    }

    /** What is no AnalysisException is a fault, or wants more of Spark than we have here. */
    protected boolean refuses(Throwable error) {
        if (error instanceof CatalogNotFoundException) return true;
        return error instanceof AnalysisException && !((AnalysisException) error).isInternalError();
    }

    /** Without the plan. */
    protected String message(Throwable error) {
        boolean analyzed = error instanceof AnalysisException && !(error instanceof ParseException);
        return analyzed ? ((AnalysisException) error).message() : super.message(error);
    }

    protected int[] position(Throwable refusal) {
        if (!(refusal instanceof AnalysisException)) return null;
        AnalysisException error = (AnalysisException) refusal;
        if (error.line().isEmpty() || error.startPosition().isEmpty()) return super.position(error);
        int line = ((Integer) error.line().get()).intValue();
        return new int[] {line, ((Integer) error.startPosition().get()).intValue() + 1};
    }
}
