import com.linkedin.coral.common.HiveMetastoreClient;
import com.linkedin.coral.hive.hive2rel.HiveToRelConverter;
import com.linkedin.coral.hive.metastore.api.Database;
import com.linkedin.coral.hive.metastore.api.FieldSchema;
import com.linkedin.coral.hive.metastore.api.SerDeInfo;
import com.linkedin.coral.hive.metastore.api.StorageDescriptor;
import com.linkedin.coral.hive.metastore.api.Table;
import com.linkedin.coral.trino.rel2trino.RelToTrinoConverter;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.Query;
import io.trino.sql.tree.QuerySpecification;
import io.trino.sql.tree.SingleColumn;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.runtime.Hook;

/**
 * A view of Hive as Trino's Hive connector reads it: Coral translates it over a metastore that holds
 * what the view reads, Trino has to know the types of its columns, and Trino's parser has to take
 * the text that Coral has made (io.trino.plugin.hive, ViewReaderUtil.HiveViewReader).
 *
 * The settings of a statement are: database and name of the view, its columns; the number of tables
 * and views that it reads, and for each its database, its name, its text (empty: a table), its
 * columns. Columns are their number, and name and Hive's type of each.
 */
public class Coral extends Trino implements HiveMetastoreClient {
    private static final List HANDLERS = handlers();
    private final Map tables = new HashMap(); // database and name
    private Names names = new Names(false);
    private String[] given = {};
    private int next;
    private String database = "default";
    private String name = "view";
    private List columns = new ArrayList();

    public static void main(String[] arguments) throws Exception {
        new Coral().serve();
    }

    /** Each translation leaves one there, and each later one would call them all. */
    private static List handlers() {
        try {
            Field found = Hook.class.getDeclaredField("handlers");
            found.setAccessible(true);
            return (List) found.get(Hook.REL_BUILDER_SIMPLIFY);
        } catch (ReflectiveOperationException absent) {
            return new ArrayList();
        }
    }

    protected void configure(String[] settings) {
        given = settings;
        next = 0;
        tables.clear();
        database = text();
        name = text();
        columns = columns();
        for (int n = Integer.parseInt(text()); n > 0; n--) {
            String owner = text();
            put(owner, text(), text(), columns());
        }
    }

    /** Of the settings, what is not about Coral. */
    protected List rest() {
        return Arrays.asList(given).subList(next, given.length);
    }

    /** Database and name of the view. */
    protected String[] place() {
        return new String[] {database, name};
    }

    /** What Trino makes of the translation beyond its parser; pairs of name and Trino's type. */
    protected void analyze(String translated, List columns) {}

    private String text() {
        return given[next++];
    }

    private List columns() {
        List made = new ArrayList();
        for (int n = Integer.parseInt(text()); n > 0; n--) {
            made.add(new FieldSchema(text(), text(), null));
        }
        return made;
    }

    private void put(String owner, String called, String sql, List columns) {
        Table table = new Table();
        table.setDbName(owner);
        table.setTableName(called);
        table.setTableType(sql.isEmpty() ? "EXTERNAL_TABLE" : "VIRTUAL_VIEW");
        table.setParameters(new HashMap());
        table.setPartitionKeys(new ArrayList());
        table.setViewOriginalText(sql);
        table.setViewExpandedText(sql);
        StorageDescriptor storage = new StorageDescriptor();
        storage.setCols(columns);
        storage.setParameters(new HashMap());
        SerDeInfo serialization = new SerDeInfo();
        serialization.setParameters(new HashMap());
        storage.setSerdeInfo(serialization);
        table.setSd(storage);
        tables.put(key(owner, called), table);
    }

    private static String key(String owner, String called) {
        return (owner + "\u0000" + called).toLowerCase(Locale.ROOT);
    }

    protected Names names() {
        names = super.names();
        return names;
    }

    protected Object parse(String sql) {
        put(database, name, sql, columns);
        RelNode found;
        String translated;
        try {
            found = new HiveToRelConverter(this).convertView(database, name);
            translated = new RelToTrinoConverter(this).convert(found);
        } finally {
            HANDLERS.clear();
        }
        Object tree;
        try {
            tree = super.parse(translated);
        } catch (RuntimeException refusal) {
            throw new IllegalStateException(
                    "Coral's translation: " + refusal.getMessage() + ": " + translated);
        }
        read(tree, names);
        List shown = shown(found.getRowType().getFieldList());
        names.columns(columns(shown, calls((Query) tree)), translated);
        analyze(translated, shown);
        return tree;
    }

    /** Name and Trino's type of each column. */
    private static List shown(List fields) {
        List made = new ArrayList();
        for (Object one : fields) {
            RelDataTypeField field = (RelDataTypeField) one;
            made.add(new String[] {field.getName(), spelled(field.getType())});
        }
        return made;
    }

    /** Name, Trino's type, and the function that makes it, of each column; in JSON. */
    private static String columns(List shown, List calls) {
        StringBuilder told = new StringBuilder();
        for (int i = 0; i < shown.size(); i++) {
            String[] column = (String[]) shown.get(i);
            Object call = calls.size() == shown.size() ? calls.get(i) : "";
            told.append(told.length() == 0 ? "[" : ",[").append(Names.quoted(column[0]));
            told.append(",").append(Names.quoted(column[1]));
            told.append(",").append(Names.quoted(String.valueOf(call))).append("]");
        }
        return "[" + told + "]";
    }

    /** What the outermost SELECT calls for each of its columns; empty where it is no call. */
    private static List calls(Query query) {
        List found = new ArrayList();
        if (!(query.getQueryBody() instanceof QuerySpecification)) return found;
        QuerySpecification body = (QuerySpecification) query.getQueryBody();
        for (Object item : body.getSelect().getSelectItems()) {
            Object made = item instanceof SingleColumn ? ((SingleColumn) item).getExpression() : item;
            found.add(made instanceof FunctionCall ? ((FunctionCall) made).getName().getSuffix() : "");
        }
        return found;
    }

    protected String message(Throwable refusal) {
        String told = refusal.getMessage();
        return told == null ? "Failed to translate: " + refusal.getClass().getName() : told;
    }

    protected int[] position(Throwable refusal) {
        return null; // it would be one in Coral's text
    }

    /** As Trino spells a column's type out of Calcite's: without the length of a text. */
    private static String spelled(RelDataType type) {
        String name = type.getSqlTypeName().getName();
        if (type.isStruct()) return row(type);
        if (name.equals("ARRAY")) return "array(" + spelled(type.getComponentType()) + ")";
        if (name.equals("MAP")) {
            return "map(" + spelled(type.getKeyType()) + "," + spelled(type.getValueType()) + ")";
        }
        if (name.equals("CHAR")) return "char(" + type.getPrecision() + ")";
        if (name.equals("FLOAT")) return "real";
        if (name.equals("BINARY")) return "varbinary";
        if (name.equals("DECIMAL")) {
            return "decimal(" + type.getPrecision() + "," + type.getScale() + ")";
        }
        return name.toLowerCase(Locale.ROOT);
    }

    private static String row(RelDataType type) {
        StringBuilder made = new StringBuilder();
        for (Object one : type.getFieldList()) {
            RelDataTypeField field = (RelDataTypeField) one;
            made.append(made.length() == 0 ? "row(\"" : ",\"");
            made.append(field.getName().toLowerCase(Locale.ROOT).replace("\"", "\"\""));
            made.append("\" ").append(spelled(field.getType()));
        }
        return made.append(")").toString();
    }

    public List getAllDatabases() {
        List found = new ArrayList();
        for (Object one : tables.values()) {
            String owner = ((Table) one).getDbName();
            if (!found.contains(owner)) found.add(owner);
        }
        return found;
    }

    public Database getDatabase(String called) {
        if (!getAllDatabases().contains(called)) return null;
        return new Database(called, null, null, new HashMap());
    }

    public List getAllTables(String owner) {
        List found = new ArrayList();
        for (Object one : tables.values()) {
            Table table = (Table) one;
            if (table.getDbName().equalsIgnoreCase(owner)) found.add(table.getTableName());
        }
        return found;
    }

    public Table getTable(String owner, String called) {
        return (Table) tables.get(key(owner, called));
    }
}
