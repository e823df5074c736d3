import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;

/**
 * A catalog of tables that can be planned and not be read; it finds databases and tables in any
 * case, as the metastore behind Flink's `HiveCatalog` does.
 */
public class FlinkStubs extends GenericInMemoryCatalog implements DynamicTableSourceFactory {
    private final List places = new ArrayList();

    public FlinkStubs(String name) {
        super(name);
    }

    public void createTable(ObjectPath place, CatalogBaseTable table, boolean there)
            throws TableAlreadyExistException, DatabaseNotExistException {
        super.createTable(folded(place), table, there);
        places.add(folded(place));
    }

    public CatalogBaseTable getTable(ObjectPath place) throws TableNotExistException {
        return super.getTable(folded(place));
    }

    public boolean tableExists(ObjectPath place) {
        return super.tableExists(folded(place));
    }

    public void createDatabase(String database, CatalogDatabase made, boolean there)
            throws DatabaseAlreadyExistException {
        super.createDatabase(database.toLowerCase(Locale.ROOT), made, there);
    }

    public CatalogDatabase getDatabase(String database) throws DatabaseNotExistException {
        return super.getDatabase(database.toLowerCase(Locale.ROOT));
    }

    public boolean databaseExists(String database) {
        return super.databaseExists(database.toLowerCase(Locale.ROOT));
    }

    /** Databases stay: they are empty, and so as good as not there. */
    void clear() throws Exception {
        for (Object place : places) dropTable((ObjectPath) place, true);
        places.clear();
    }

    private static ObjectPath folded(ObjectPath place) {
        return new ObjectPath(
                place.getDatabaseName().toLowerCase(Locale.ROOT),
                place.getObjectName().toLowerCase(Locale.ROOT));
    }

    public Optional getFactory() {
        return Optional.of(this);
    }

    public String factoryIdentifier() {
        return "stub";
    }

    public Set requiredOptions() {
        return Collections.emptySet();
    }

    public Set optionalOptions() {
        return Collections.emptySet();
    }

    public DynamicTableSource createDynamicTableSource(DynamicTableFactory.Context context) {
        return new Source();
    }

    /** Rows that there are never any of: a job is made of it, and not run. */
    private static class Rows implements DataStreamScanProvider {
        public DataStream produceDataStream(
                ProviderContext context, StreamExecutionEnvironment environment) {
            return new DataStream(environment, new Nothing());
        }

        public boolean isBounded() {
            return true;
        }
    }

    private static class Nothing extends Transformation {
        Nothing() {
            super("stub", Types.INT, 1);
        }

        protected List getTransitivePredecessorsInternal() {
            return Collections.singletonList(this);
        }

        public List getInputs() {
            return Collections.emptyList();
        }
    }

    private static class Source implements ScanTableSource {
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.insertOnly();
        }

        public ScanTableSource.ScanRuntimeProvider getScanRuntimeProvider(
                ScanTableSource.ScanContext context) {
            return new Rows();
        }

        public DynamicTableSource copy() {
            return this;
        }

        public String asSummaryString() {
            return "stub";
        }
    }
}
