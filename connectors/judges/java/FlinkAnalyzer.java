import java.lang.reflect.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.plan.RelOptPlanner.CannotPlanException;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQueryBase;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.SqlParserException;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.CatalogView;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.operations.CollectModifyOperation;
import org.apache.flink.table.planner.codegen.CodeGenException;
import org.apache.flink.table.planner.plan.metadata.FlinkDefaultRelMetadataProvider;

/**
 * Flink's planner, over catalogs in memory that hold what the view at hand reads (`FlinkStubs`).
 *
 * The view is put into its catalog with the columns that its entry declares, and a job is made of a
 * query on it, as EXPLAIN does: so it is Flink that looks its names up, as they are spelled, in the
 * view's own catalog and database, makes the declared columns of those that its text returns
 * (`SqlCatalogViewTable`), optimizes the plan and writes the code. Nothing is run; no data, no cluster.
 *
 * A session is in batch mode or in streaming mode, and each plans what the other does not: sorts and
 * OVER by any column the one, session windows and maps in GROUP BY the other. What either plans is
 * accepted; a refusal tells that of batch mode, and behind `STREAMING` that of the other, if it is
 * another one.
 *
 * A text that can be read where the session is keeps its own types, and is not cast to those that
 * are declared (`CatalogManager.resolveCatalogView`, 1.20): so it is with whole names. One with short
 * names is read from another database.
 *
 * The settings of a statement are: catalog and database of the view; `whole` if its names are whole
 * in the entry that Flink reads; its columns; the number of
 * tables, and for each its catalog, its database, its name, its columns. Columns are their number,
 * and name and Flink's type of each, marked as Flink does where it is a time attribute.
 */
public class FlinkAnalyzer extends Flink {
    private static final String PROCTIME = " *PROCTIME*";
    private static final String ROWTIME = " *ROWTIME*";
    private static final String ELSEWHERE = "where the session is";
    private static final String VIEW = "the view"; // a metastore has no such name
    private static final Pattern PLAN = Pattern.compile(
            "(?s)( for the given query|[.] The physical plan is):\\s.*");
    private static final String STREAMING = "\nin streaming mode: ";
    private final TableEnvironmentImpl streaming =
            TableEnvironmentImpl.create(EnvironmentSettings.inStreamingMode());
    private final TableEnvironmentImpl batch =
            TableEnvironmentImpl.create(EnvironmentSettings.inBatchMode());
    private final Map catalogs = new HashMap(); // by their names
    private Names names = new Names(true);
    private String[] given;
    private int next;
    private String[] place;
    private boolean whole;
    private Schema declared;

    public FlinkAnalyzer() throws Exception {
        configure(new String[] {"catalog", "db", "whole", "1", "c", "INT", "0"});
    }

    public static void main(String[] arguments) throws Exception {
        new FlinkAnalyzer().serve();
    }

    protected void configure(String[] settings) throws Exception {
        given = settings;
        next = 0;
        for (Object one : catalogs.values()) ((FlinkStubs) one).clear();
        place = new String[] {text(), text()};
        whole = text().equals("whole");
        declared = columns();
        catalog(place[0], place[1]).createDatabase(
                ELSEWHERE, new CatalogDatabaseImpl(new HashMap(), ""), true);
        for (int n = Integer.parseInt(text()); n > 0; n--) {
            FlinkStubs holder = catalog(text(), given[next]);
            ObjectPath path = new ObjectPath(text(), text());
            holder.createTable(path, table(columns()), true);
        }
    }

    private String text() {
        return given[next++];
    }

    private Schema columns() {
        Schema.Builder made = Schema.newBuilder();
        for (int n = Integer.parseInt(text()); n > 0; n--) column(made, text(), text());
        return made.build();
    }

    /** One that computes its time says so, and one with a watermark: how late it is, is no matter. */
    private static void column(Schema.Builder made, String name, String kind) {
        if (kind.endsWith(PROCTIME)) {
            made.columnByExpression(name, "PROCTIME()");
        } else if (kind.endsWith(ROWTIME)) {
            made.column(name, kind.substring(0, kind.length() - ROWTIME.length()));
            made.watermark(name, "`" + name.replace("`", "``") + "`");
        } else {
            made.column(name, kind);
        }
    }

    private FlinkStubs catalog(String name, String database) throws Exception {
        FlinkStubs found = (FlinkStubs) catalogs.get(name);
        if (found == null) {
            found = new FlinkStubs(name);
            catalogs.put(name, found);
            streaming.registerCatalog(name, found);
            batch.registerCatalog(name, found);
        }
        found.createDatabase(database, new CatalogDatabaseImpl(new HashMap(), ""), true);
        return found;
    }

    /** Janino calls no static methods of interfaces. */
    private static CatalogBaseTable table(Schema columns) throws Exception {
        Object made = CatalogTable.class.getMethod("newBuilder").invoke(null);
        return ((CatalogTable.Builder) made).schema(columns).build();
    }

    private static CatalogBaseTable view(Schema columns, String sql) throws Exception {
        Class[] taken = {Schema.class, String.class, String.class, String.class, Map.class};
        Method maker = CatalogView.class.getMethod("of", taken);
        return (CatalogBaseTable) maker.invoke(null, columns, "", sql, sql, new HashMap());
    }

    protected Names names() {
        names = super.names();
        return names;
    }

    protected Object parse(String sql) throws Exception {
        streaming.useCatalog(place[0]);
        streaming.useDatabase(place[1]);
        Table found = streaming.sqlQuery(sql);
        StringBuilder told = new StringBuilder("[");
        for (Object one : found.getResolvedSchema().getColumns()) {
            Column column = (Column) one;
            String kind = column.getDataType().getLogicalType().asSummaryString();
            told.append(told.length() == 1 ? "[" : ",[").append(Names.quoted(column.getName()));
            told.append(",").append(Names.quoted(kind)).append("]");
        }
        names.columns(told.append("]").toString());
        FlinkStubs holder = (FlinkStubs) catalogs.get(place[0]);
        ObjectPath path = new ObjectPath(place[1], VIEW);
        holder.dropTable(path, true);
        holder.createTable(path, view(declared, sql), true);
        String refusal = refusal(batch);
        String other = refusal == null ? null : refusal(streaming);
        if (other == null) return found;
        throw new ValidationException(refusal.equals(other) ? refusal : refusal + STREAMING + other);
    }

    /** Why no job can be made of a query on the view; null: one can. */
    private String refusal(TableEnvironmentImpl session) throws Exception {
        session.useCatalog(place[0]);
        session.useDatabase(whole ? place[1] : ELSEWHERE);
        RelMetadataQueryBase.THREAD_PROVIDERS.set(
                JaninoRelMetadataProvider.of(FlinkDefaultRelMetadataProvider.INSTANCE()));
        try {
            Table shown = session.sqlQuery("SELECT * FROM " + quoted(place[0]) + "."
                    + quoted(place[1]) + "." + quoted(VIEW));
            session.getPlanner().translate(
                    Collections.singletonList(new CollectModifyOperation(shown.getQueryOperation())));
            return null;
        } catch (Exception error) {
            return told(error);
        } catch (AssertionError error) { // Calcite's: it loses its way in a text, and so does Flink
            return told(error);
        }
    }

    /** The innermost message, the plan left out. */
    private static String told(Throwable error) {
        String told = null;
        for (Throwable one = error; one != null; one = one.getCause()) {
            if (one instanceof VirtualMachineError || one instanceof LinkageError) throw (Error) one;
            if (one instanceof ClassNotFoundException) throw new NoClassDefFoundError(one.getMessage());
            boolean says = one.getMessage() != null && !(one instanceof CannotPlanException);
            if (says || told == null) told = String.valueOf(one.getMessage());
        }
        return PLAN.matcher(told).replaceFirst("").trim();
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    protected void read(Object tree, Names names) {} // names were told by the parser

    /** Of the text by itself: what is no refusal of these is a fault, or wants more than is here. */
    protected boolean refuses(Throwable error) {
        if (error instanceof ValidationException || error instanceof SqlParserException) return true;
        if (error instanceof TableException || error instanceof AssertionError) return true;
        if (error instanceof CodeGenException) return true; // it computes what is constant
        if (error instanceof CalciteContextException) return true; // a table function's keys
        return String.valueOf(error.getMessage()).startsWith("correlation variable is not found");
    }
}
