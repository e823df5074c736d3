import java.io.File;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.catalog.CatalogDatabase;
import org.apache.spark.sql.catalyst.catalog.CatalogFunction;
import org.apache.spark.sql.catalyst.catalog.FileResource$;
import org.apache.spark.sql.catalyst.catalog.FunctionResource;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The functions in Spark's SQL that the statement at hand may call: what they take and return, and
 * NULL behind that. They are put into Spark's own catalog as a metastore has them
 * (`SQLFunction.toCatalogFunction`), so it is Spark that resolves calls and casts what they are
 * given.
 */
final class SparkFunctions {
    private static final String CLASS = "sqlFunction.";
    private static final String FIRST = "000"; // of the pieces of a text that a metastore can hold
    private final SessionCatalog session;
    private final FunctionRegistry known; // of the session, which puts there what it has loaded
    private final Map made = new HashMap();

    SparkFunctions(SessionCatalog session, FunctionRegistry known) {
        this.session = session;
        this.known = known;
    }

    void clear() {
        for (Object one : made.values()) {
            FunctionIdentifier place = (FunctionIdentifier) one;
            known.dropFunction(session.qualifyIdentifier(place));
            session.externalCatalog().dropFunction((String) place.database().get(), place.funcName());
        }
        made.clear();
    }

    /** As `V2SessionCatalog` finds it; null: there is none. */
    UnboundFunction load(Identifier wanted) {
        if (wanted.namespace().length != 1) return null;
        Object found = made.get(key(wanted.namespace()[0], wanted.name()));
        if (found == null) return null;
        return session.loadPersistentScalarFunction((FunctionIdentifier) found);
    }

    private static String key(String database, String name) {
        return (database + "\u0000" + name).toLowerCase(Locale.ROOT);
    }

    /** A function; of each parameter there are its name, its type, and whether it may be missing. */
    void put(String database, String name, String returns, List parameters) {
        StringBuilder takes = new StringBuilder();
        for (Object one : parameters) {
            String[] parameter = (String[]) one;
            takes.append(takes.length() == 0 ? "`" : ", `");
            takes.append(parameter[0].replace("`", "``")).append("` ").append(parameter[1]);
            if (!parameter[2].isEmpty()) takes.append(" DEFAULT NULL");
        }
        StringBuilder told = new StringBuilder(FIRST).append('{');
        say(told, "isTableFunc", "false");
        say(told, "returnType", returns);
        say(told, "expression", "NULL");
        if (takes.length() > 0) say(told, "inputParam", takes.toString());
        told.append("\"sqlConfig.spark.sql.ansi.enabled\":\"true\"}");
        Object file = new FunctionResource(FileResource$.MODULE$, told.toString());
        String folded = name.toLowerCase(Locale.ROOT);
        FunctionIdentifier place = new FunctionIdentifier(folded, Option.apply(database));
        session.externalCatalog().createDatabase(new CatalogDatabase(database, "",
                new File(System.getProperty("java.io.tmpdir")).toURI(), Map$.MODULE$.empty()), true);
        session.externalCatalog().createFunction(database, new CatalogFunction(place, CLASS,
                CollectionConverters.asScala(Arrays.asList(new Object[] {file})).toSeq()));
        made.put(key(database, name), place);
    }

    private static void say(StringBuilder told, String key, String value) {
        told.append('"').append(CLASS).append(key).append("\":");
        told.append(Names.quoted(value)).append(',');
    }
}
