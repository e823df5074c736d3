import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.errors.QueryCompilationErrors;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.Platform;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A catalog that holds what the statement at hand reads, and nothing else; Spark makes one for each
 * catalog that the settings name (`spark.sql.catalog.…`), its own included.
 *
 * Names are compared without their case, as metastores do and sessions by default.
 */
public class Stubs implements TableCatalog, FunctionCatalog {
    static final String SESSION = "spark_catalog";
    private static final Map TABLES = new HashMap(); // of all catalogs: one statement at a time
    private static SparkFunctions functions; // that Spark's own catalog has
    private String name;

    static void calls(SparkFunctions some) {
        functions = some;
    }

    static void clear() {
        TABLES.clear();
    }

    /** A table; its place is the catalog, the levels of the namespace, the name. */
    static void put(String[] place, Table table) {
        TABLES.put(key(place), table);
    }

    /** A table or view that is read: its columns, and no rows. */
    static Table of(String[] place, StructType columns) {
        return new Stub(place[place.length - 1], columns);
    }

    public void initialize(String called, CaseInsensitiveStringMap options) {
        name = called;
    }

    public String name() {
        return name;
    }

    /** Spark's own catalog has databases, which have no levels (`V2SessionCatalog`). */
    public Table loadTable(Identifier wanted) throws NoSuchTableException {
        String[] levels = wanted.namespace();
        if (name.equals(SESSION) && levels.length != 1) {
            Platform.throwException(QueryCompilationErrors.requiresSinglePartNamespaceError(
                    CollectionConverters.asScala(Arrays.asList(levels)).toSeq()));
        }
        String[] place = new String[levels.length + 2];
        place[0] = name;
        System.arraycopy(levels, 0, place, 1, levels.length);
        place[place.length - 1] = wanted.name();
        Object found = TABLES.get(key(place));
        if (found == null) throw new NoSuchTableException(wanted);
        return (Table) found;
    }

    /** What it was at another time nobody knows. */
    public Table loadTable(Identifier wanted, String version) {
        throw new IllegalStateException("time travel");
    }

    public Table loadTable(Identifier wanted, long timestamp) {
        throw new IllegalStateException("time travel");
    }

    public UnboundFunction loadFunction(Identifier wanted) throws NoSuchFunctionException {
        UnboundFunction found = name.equals(SESSION) ? functions.load(wanted) : null;
        if (found == null) throw new NoSuchFunctionException(wanted);
        return found;
    }

    public Identifier[] listFunctions(String[] namespace) {
        return new Identifier[0];
    }

    public Identifier[] listTables(String[] namespace) {
        return new Identifier[0];
    }

    public Table alterTable(Identifier table, TableChange[] changes) {
        throw new UnsupportedOperationException();
    }

    public boolean dropTable(Identifier table) {
        throw new UnsupportedOperationException();
    }

    public void renameTable(Identifier from, Identifier to) {
        throw new UnsupportedOperationException();
    }

    private static String key(String[] place) {
        return String.join("\u0000", place).toLowerCase(Locale.ROOT);
    }

    private static class Stub implements Table {
        private final String name;
        private final StructType columns;

        Stub(String name, StructType columns) {
            this.name = name;
            this.columns = columns;
        }

        public String name() {
            return name;
        }

        public StructType schema() {
            return columns;
        }

        public Set capabilities() {
            return Collections.emptySet();
        }
    }
}
