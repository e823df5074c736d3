import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.ParsedStatement;
import org.apache.spark.sql.catalyst.plans.logical.ScriptTransformation;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.classic.SparkSession$;
import org.apache.spark.sql.functions;
import scala.Product;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A session of Spark that runs statements over tables that are made of the settings, and tells the
 * rows: one of Spark's own settings, then for each table its name and the query that makes it. Every
 * value is cast to a text.
 *
 * No table but these is there, files are not read by their paths, what calls methods of Java is
 * taken away, and what runs a command is refused: the texts are a stranger's.
 */
public class SparkRows extends Spark {
    private static final int LONGEST = 4000; // characters of a value
    private static final List DANGEROUS = Arrays.asList("reflect", "java_method", "try_reflect");
    private final SparkSession session;
    private Names names = new Names(false);
    private String[] tables = new String[0];

    public SparkRows() {
        session = (SparkSession) builder().getOrCreate();
        FunctionRegistry known = session.sessionState().functionRegistry();
        int gone = 0;
        for (Object one : CollectionConverters.asJava(known.listFunction())) {
            FunctionIdentifier name = (FunctionIdentifier) one;
            if (!DANGEROUS.contains(name.funcName())) continue;
            known.dropFunction(name);
            gone++;
        }
        if (gone != DANGEROUS.size()) throw new IllegalStateException("unknown names of functions");
    }

    private static SparkSession.Builder builder() {
        String place = System.getProperty("java.io.tmpdir");
        SparkSession.Builder made = SparkSession$.MODULE$.builder();
        String[] settings = {
            "spark.master", "local[1]",
            "spark.app.name", "belvedere drafts",
            "spark.ui.enabled", "false",
            "spark.driver.host", "127.0.0.1",
            "spark.driver.bindAddress", "127.0.0.1",
            "spark.local.dir", place,
            "spark.sql.warehouse.dir", place,
            "spark.sql.catalogImplementation", "in-memory",
            "spark.sql.session.timeZone", "UTC",
            "spark.sql.shuffle.partitions", "1",
            "spark.sql.runSQLOnFiles", "false",
            "spark.sql.codegen.wholeStage", "false",
            "spark.sql.codegen.factoryMode", "NO_CODEGEN",
            "spark.sql.adaptive.enabled", "false",
        };
        for (int i = 0; i < settings.length; i += 2) made.config(settings[i], settings[i + 1]);
        return made;
    }

    public static void main(String[] arguments) throws Exception {
        new SparkRows().serve();
    }

    protected void configure(String[] settings) {
        for (int i = 3; i < tables.length; i += 2) session.catalog().dropTempView(tables[i]);
        tables = settings;
        if (settings.length > 2) session.conf().set(settings[1], settings[2]);
        for (int i = 3; i < settings.length; i += 2) {
            session.sql(settings[i + 1]).createOrReplaceTempView(settings[i]);
        }
    }

    protected Names names() {
        names = super.names();
        return names;
    }

    protected void read(Object tree, Names names) {} // only rows are asked for

    /** The text is read alone first: what ends our bracket is no query. */
    protected Object parse(String sql) {
        check(readAlone(sql));
        Dataset found = session.sql("SELECT * FROM (\n" + sql + "\n) AS answer");
        int width = found.columns().length;
        String[] numbered = new String[width];
        Column[] texts = new Column[width];
        for (int i = 0; i < width; i++) {
            numbered[i] = "c" + i;
            texts[i] = functions.col(numbered[i]).cast("string").substr(1, LONGEST);
        }
        int most = tables.length == 0 ? 1 : Integer.parseInt(tables[0]);
        List rows = found.toDF(numbered).select(texts).limit(most + 1).collectAsList();
        StringBuilder told = new StringBuilder("[");
        for (int n = 0; n < rows.size(); n++) {
            Row row = (Row) rows.get(n);
            told.append(n == 0 ? "[" : ",[");
            for (int i = 0; i < width; i++) {
                if (i > 0) told.append(',');
                told.append(row.isNullAt(i) ? "null" : Names.quoted(row.getString(i)));
            }
            told.append(']');
        }
        names.columns(told.append(']').toString());
        return rows;
    }

    private Object readAlone(String sql) {
        try {
            return session.sessionState().sqlParser().parsePlan(sql);
        } catch (ParseException refusal) {
            throw new IllegalArgumentException(refusal.getMessage());
        }
    }

    /** TRANSFORM runs a command of the machine; commands of Spark write files and load classes. */
    private static void check(Object tree) {
        if (tree instanceof ScriptTransformation || tree instanceof Command
                || tree instanceof ParsedStatement) {
            throw new IllegalArgumentException(
                    tree.getClass().getSimpleName() + " is not run: the text is a stranger's");
        }
        Iterator parts = null;
        if (tree instanceof scala.collection.Iterable) {
            parts = ((scala.collection.Iterable) tree).iterator();
        } else if (tree instanceof Product) {
            parts = ((Product) tree).productIterator();
        }
        while (parts != null && parts.hasNext()) check(parts.next());
    }

    protected boolean refuses(Throwable error) {
        return true; // whatever a query ends with, it gives no rows
    }
}
