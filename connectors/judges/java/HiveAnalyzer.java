import com.google.common.base.Equivalence;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.ql.Context;
import org.apache.hadoop.hive.ql.QueryState;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.ExplainConfiguration;
import org.apache.hadoop.hive.ql.parse.ParseUtils;
import org.apache.hadoop.hive.ql.parse.SemanticAnalyzerFactory;
import org.apache.hadoop.hive.ql.session.SessionState;

/**
 * Hive's semantic analyzer, over a metastore in memory that holds what the view at hand reads.
 *
 * The view is put there with its columns, and a query on it is compiled: so it is Hive that looks
 * its names up, short ones in the database `default`, where a session begins. Nothing is run.
 *
 * The settings of a statement are: database and name of the view; its columns; the number of
 * tables, and for each its database, its name, its columns, and its text, empty if it is no view. Columns
 * are their number, and name and Hive's type of each.
 */
public class HiveAnalyzer extends Child {
    private static final String[] PLACES = {
        "hive.exec.scratchdir", "hive.exec.local.scratchdir", "hive.downloaded.resources.dir"
    };
    private HiveConf conf; // made when nothing that logs can write to the parent any more
    private HiveStubs metastore;
    private Thread begun; // what a session has of its own belongs to its thread
    private String[] given = {"default", "v", "1", "c", "int", "0"};
    private int next;
    private Names names = new Names(false);

    public static void main(String[] arguments) throws Exception {
        new HiveAnalyzer().serve();
    }

    private void start() throws Exception {
        String folder = System.getProperty("java.io.tmpdir");
        conf = new HiveConf();
        for (int i = 0; i < PLACES.length; i++) conf.set(PLACES[i], folder + "/hive" + i);
        conf.set("fs.defaultFS", "file:///");
        conf.setBoolean("hive.support.concurrency", false);
        conf.setBoolean("hive.auto.convert.join", false); // its Kryo does not run on Java 17
        metastore = new HiveStubs(new File(folder, "tables").toURI().toString());
        keepCompiled();
    }

    /**
     * Hive gives each query a new provider of what is known of its tree, and Calcite compiles Java
     * for each provider: two fifths of all time. Those of one session say the same.
     */
    private static void keepCompiled() throws Exception {
        Object cache = value(JaninoRelMetadataProvider.class, "HANDLERS", null);
        Object entries = value(cache.getClass().getSuperclass(), "localCache", cache);
        field(entries.getClass(), "keyEquivalence").set(entries, new Equivalence() {
            protected boolean doEquivalent(Object one, Object other) {
                return told(one).equals(told(other));
            }

            protected int doHash(Object key) {
                return told(key).hashCode();
            }
        });
    }

    /** What a key of compiled classes is of, beside the provider. */
    private static List told(Object key) {
        try {
            Class owner = key.getClass();
            return Arrays.asList(
                    new Object[] {value(owner, "def", key), value(owner, "relClasses", key)});
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    private static Field field(Class owner, String name) throws Exception {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static Object value(Class owner, String name, Object of) throws Exception {
        return field(owner, name).get(of);
    }

    private void begin() throws Exception {
        if (conf == null) start();
        if (begun == Thread.currentThread()) return;
        SessionState session = new SessionState(conf, "nobody");
        SessionState.setCurrentSessionState(session);
        Method folders =
                SessionState.class.getDeclaredMethod("createSessionDirs", new Class[] {String.class});
        folders.setAccessible(true);
        folders.invoke(session, new Object[] {"nobody"});
        Class hive = Class.forName("org.apache.hadoop.hive.ql.metadata.Hive");
        Class[] taken = {HiveConf.class, boolean.class};
        Constructor maker = hive.getDeclaredConstructor(taken);
        maker.setAccessible(true);
        Object made = maker.newInstance(new Object[] {conf, Boolean.FALSE});
        field(hive, "metaStoreClient").set(made, metastore.client());
        hive.getMethod("set", new Class[] {hive}).invoke(null, new Object[] {made});
        begun = Thread.currentThread();
    }

    protected void configure(String[] settings) throws Exception {
        given = settings;
    }

    private String text() {
        return given[next++];
    }

    private List columns() {
        List found = new ArrayList();
        for (int n = 2 * Integer.parseInt(text()); n > 0; n--) found.add(text());
        return found;
    }

    protected Names names() {
        names = new Names(false);
        return names;
    }

    protected Object parse(String sql) throws Exception {
        begin();
        SessionState.get().setupQueryCurrentTimestamp();
        metastore.clear();
        next = 0;
        String database = text();
        String view = text();
        metastore.add(database, view, columns(), sql);
        for (int n = Integer.parseInt(text()); n > 0; n--) {
            String base = text();
            String name = text();
            List columns = columns();
            String query = text();
            metastore.add(base, name, columns, query.isEmpty() ? null : query);
        }
        String asked = "select * from `" + database + "`.`" + view + "`";
        QueryState state = new QueryState(conf);
        Context context = new Context(conf);
        try {
            context.setCmd(asked);
            context.setExplainConfig(new ExplainConfiguration()); // so no folders are made
            ASTNode tree = ParseUtils.parse(asked, context);
            BaseSemanticAnalyzer analyzer = SemanticAnalyzerFactory.get(state, tree);
            analyzer.analyze(tree, context);
            analyzer.validate();
            names.columns(told(analyzer.getResultSchema(), view));
            return tree;
        } finally {
            context.clear();
        }
    }

    /** Names and types; Hive puts the name of the view before each, and a name may have dots. */
    private static String told(List schema, String view) {
        StringBuilder told = new StringBuilder("[");
        for (Object one : schema) {
            FieldSchema field = (FieldSchema) one;
            String name = field.getName();
            boolean isLed = name.toLowerCase().startsWith(view.toLowerCase() + ".");
            if (isLed) name = name.substring(view.length() + 1);
            told.append(told.length() == 1 ? "[" : ",[").append(Names.quoted(name));
            told.append(",").append(Names.quoted(field.getType())).append("]");
        }
        return told.append("]").toString();
    }

    protected void read(Object tree, Names names) {} // names were told by the parser

    protected int[] position(Throwable refusal) {
        return null;
    }
}
