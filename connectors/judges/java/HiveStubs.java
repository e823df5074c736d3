import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hive.metastore.IMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;

/** A metastore in memory, as Hive's client of one: tables without files, and views. */
public class HiveStubs implements InvocationHandler {
    /** Without the limit of text files on how deep a type is nested, which ORC has not, nor Avro. */
    private static final String SERDE =
            "org.apache.hadoop.hive.serde2.lazybinary.LazyBinarySerDe";
    private static final String INPUT = "org.apache.hadoop.mapred.TextInputFormat";
    private static final String OUTPUT = "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat";
    private final Map tables = new HashMap();
    private final String place;

    /** The place is a folder without files, as a URI. */
    public HiveStubs(String place) {
        this.place = place;
    }

    public IMetaStoreClient client() {
        Class[] faces = {IMetaStoreClient.class};
        ClassLoader loader = IMetaStoreClient.class.getClassLoader();
        return (IMetaStoreClient) Proxy.newProxyInstance(loader, faces, this);
    }

    void clear() {
        tables.clear();
    }

    /** Names and types of columns, in turn; a text makes it a view. */
    void add(String database, String name, List columns, String text) {
        Table made = new Table();
        made.setDbName(folded(database));
        made.setTableName(folded(name));
        made.setOwner("nobody");
        made.setParameters(new HashMap());
        made.setPartitionKeys(new ArrayList());
        made.setTableType(text == null ? "MANAGED_TABLE" : "VIRTUAL_VIEW");
        made.setViewOriginalText(text);
        made.setViewExpandedText(text);
        List fields = new ArrayList();
        for (int i = 0; i < columns.size(); i += 2) {
            fields.add(new FieldSchema((String) columns.get(i), (String) columns.get(i + 1), null));
        }
        made.setSd(storage(fields));
        tables.put(key(database, name), made);
    }

    private StorageDescriptor storage(List fields) {
        SerDeInfo serde = new SerDeInfo(null, SERDE, new HashMap());
        StorageDescriptor made = new StorageDescriptor();
        made.setCols(fields);
        made.setLocation(place);
        made.setInputFormat(INPUT);
        made.setOutputFormat(OUTPUT);
        made.setNumBuckets(-1);
        made.setSerdeInfo(serde);
        made.setBucketCols(new ArrayList());
        made.setSortCols(new ArrayList());
        made.setParameters(new HashMap());
        return made;
    }

    private static String key(String database, String name) {
        return folded(database) + "." + folded(name);
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    public Object invoke(Object self, Method called, Object[] given) throws Throwable {
        String name = called.getName();
        if (name.equals("getTable")) return table(given);
        if (name.equals("tableExists")) return Boolean.valueOf(tables.containsKey(joined(given)));
        if (name.equals("getDatabase")) {
            return new Database((String) given[0], "", place, new HashMap());
        }
        if (name.equals("isCompatibleWith")) return Boolean.TRUE;
        return nothing(called.getReturnType());
    }

    private static String joined(Object[] given) {
        return given.length == 1 ? key("default", (String) given[0])
                : key((String) given[0], (String) given[1]);
    }

    private Object table(Object[] given) throws NoSuchObjectException {
        Table found = (Table) tables.get(joined(given));
        if (found == null) throw new NoSuchObjectException(joined(given) + " table not found");
        return found.deepCopy();
    }

    private static Object nothing(Class kind) {
        if (kind == boolean.class) return Boolean.FALSE;
        if (kind == int.class) return Integer.valueOf(0);
        if (kind == long.class) return Long.valueOf(0);
        if (List.class.isAssignableFrom(kind)) return Collections.emptyList();
        if (Map.class.isAssignableFrom(kind)) return Collections.emptyMap();
        return null;
    }
}
