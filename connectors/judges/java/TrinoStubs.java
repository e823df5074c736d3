import com.google.inject.Provider;
import io.opentelemetry.api.trace.TracerProvider;
import io.trino.FeaturesConfig;
import io.trino.client.NodeVersion;
import io.trino.connector.CatalogServiceProvider;
import io.trino.connector.system.GlobalSystemConnector;
import io.trino.metadata.BlockEncodingManager;
import io.trino.metadata.CatalogFunctionMetadata;
import io.trino.metadata.DisabledSystemSecurityMetadata;
import io.trino.metadata.FunctionManager;
import io.trino.metadata.GlobalFunctionCatalog;
import io.trino.metadata.InternalBlockEncodingSerde;
import io.trino.metadata.InternalFunctionBundle;
import io.trino.metadata.LanguageFunctionManager;
import io.trino.metadata.LiteralFunction;
import io.trino.metadata.Metadata;
import io.trino.metadata.MetadataManager;
import io.trino.metadata.QualifiedObjectName;
import io.trino.metadata.RedirectionAwareTableHandle;
import io.trino.metadata.SqlFunction;
import io.trino.metadata.SqlScalarFunction;
import io.trino.metadata.SystemFunctionBundle;
import io.trino.metadata.TableHandle;
import io.trino.metadata.TableSchema;
import io.trino.metadata.TypeRegistry;
import io.trino.metadata.ViewColumn;
import io.trino.metadata.ViewDefinition;
import io.trino.operator.scalar.SpecializedSqlScalarFunction;
import io.trino.operator.scalar.json.JsonExistsFunction;
import io.trino.operator.scalar.json.JsonQueryFunction;
import io.trino.operator.scalar.json.JsonValueFunction;
import io.trino.spi.connector.CatalogHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableSchema;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.BoundSignature;
import io.trino.spi.function.CatalogSchemaFunctionName;
import io.trino.spi.function.FunctionDependencyDeclaration;
import io.trino.spi.function.FunctionId;
import io.trino.spi.function.FunctionMetadata;
import io.trino.spi.function.Signature;
import io.trino.spi.security.GroupProvider;
import io.trino.spi.security.Identity;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import io.trino.spi.type.TypeOperators;
import io.trino.sql.PlannerContext;
import io.trino.sql.parser.SqlParser;
import io.trino.transaction.NoOpTransactionManager;
import io.trino.type.BlockTypeOperators;
import io.trino.type.InternalTypeManager;
import io.trino.type.JsonPath2016Type;
import io.trino.type.TypeDeserializer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Trino's metadata where there is nothing but what the statement at hand reads, as tables, and the
 * view itself. All else, functions and operators above all, is Trino's own.
 */
public class TrinoStubs
        implements InvocationHandler, Provider, GroupProvider, ConnectorTransactionHandle {
    static final Identity OWNER = Identity.ofUser("owner");
    private static final List DENIED =
            Arrays.asList(new String[] {"isMaterializedView", "isCatalogManagedSecurity"});
    private static final int MOST = 10000; // types that are kept
    private final Map known = new HashMap(); // types by their texts
    private final Map tables = new HashMap(); // by their whole names
    private final Map views = new HashMap();
    private final Map functions = new HashMap(); // lists of them, as they are overloaded
    private final TypeManager types;
    private final MetadataManager own;
    private final PlannerContext context;

    /** A table or a column of one: no more than what to call it. */
    private static class Handle implements ConnectorTableHandle, ColumnHandle {
        private final String name;

        Handle(String name) {
            this.name = name;
        }

        public boolean equals(Object other) {
            return other instanceof Handle && ((Handle) other).name.equals(name);
        }

        public int hashCode() {
            return name.hashCode();
        }
    }

    /** A function that a plugin brings: its types, and nothing that runs. */
    private static class OfPlugin extends SqlScalarFunction {
        OfPlugin(FunctionMetadata told) {
            super(told);
        }

        public SpecializedSqlScalarFunction specialize(BoundSignature bound) {
            throw new UnsupportedOperationException();
        }
    }

    TrinoStubs() throws Exception {
        TypeOperators operators = new TypeOperators();
        FeaturesConfig features = new FeaturesConfig();
        TypeRegistry registry = new TypeRegistry(operators, features);
        types = new InternalTypeManager(registry);
        InternalBlockEncodingSerde serde =
                new InternalBlockEncodingSerde(new BlockEncodingManager(), types);
        registry.addType(new JsonPath2016Type(new TypeDeserializer(types), serde));
        GlobalFunctionCatalog functions = new GlobalFunctionCatalog(this, this, this);
        functions.addFunctions(SystemFunctionBundle.create(
                features, operators, new BlockTypeOperators(operators), NodeVersion.UNKNOWN));
        LanguageFunctionManager languages =
                new LanguageFunctionManager(new SqlParser(), types, this);
        own = new MetadataManager(new DisabledSystemSecurityMetadata(),
                new NoOpTransactionManager(), functions, languages, types);
        FunctionManager manager = new FunctionManager(nothing(), functions, languages);
        Metadata metadata = (Metadata) Proxy.newProxyInstance(
                TrinoStubs.class.getClassLoader(), new Class[] {Metadata.class}, this);
        functions.addFunctions(new InternalFunctionBundle(new SqlFunction[] {
            new LiteralFunction(serde), new JsonExistsFunction(manager, metadata, types),
            new JsonValueFunction(manager, metadata, types),
            new JsonQueryFunction(manager, metadata, types), zoneOfHive()
        }));
        context = new PlannerContext(metadata, operators, serde, types, manager, languages,
                noop().get("belvedere"));
    }

    /** What Coral's texts call for `from_utc_timestamp` (476, CanonicalizeHiveTimezoneId). */
    private SqlFunction zoneOfHive() {
        Signature signature = Signature.builder().returnType(type("varchar"))
                .argumentTypes(Collections.singletonList(type("varchar").getTypeSignature()))
                .build();
        return new OfPlugin(FunctionMetadata.scalarBuilder("$canonicalize_hive_timezone_id")
                .signature(signature).hidden().noDescription().build());
    }

    /** Janino calls no static methods of interfaces. */
    static CatalogServiceProvider nothing() throws Exception {
        Method maker = CatalogServiceProvider.class.getMethod("fail");
        return (CatalogServiceProvider) maker.invoke(null);
    }

    private static TracerProvider noop() throws Exception {
        return (TracerProvider) TracerProvider.class.getMethod("noop").invoke(null);
    }

    PlannerContext context() {
        return context;
    }

    void clear() {
        tables.clear();
        views.clear();
        functions.clear();
    }

    Type type(String text) {
        if (known.size() > MOST) known.clear();
        Type found = (Type) known.get(text);
        if (found == null) known.put(text, found = types.fromSqlType(text));
        return found;
    }

    /** A table; its place is catalog, schema and name, its columns name and type of each. */
    void table(String[] place, List columns) {
        List made = new ArrayList();
        for (Object one : columns) {
            String[] column = (String[]) one;
            made.add(new ColumnMetadata(column[0], type(column[1])).getColumnSchema());
        }
        QualifiedObjectName name = called(place);
        ConnectorTableSchema schema = new ConnectorTableSchema(name.asSchemaTableName(), made);
        tables.put(name, new TableSchema(name.getCatalogName(), schema));
    }

    /** A function that gives one value for a row; what it takes and returns are types. */
    void function(String[] place, String returns, List takes) {
        List signatures = new ArrayList();
        for (Object one : takes) signatures.add(type((String) one).getTypeSignature());
        Signature signature = Signature.builder().returnType(type(returns))
                .argumentTypes(signatures).build();
        CatalogSchemaFunctionName name = new CatalogSchemaFunctionName(
                folded(place[0]), folded(place[1]), folded(place[2]));
        List known = (List) functions.get(name);
        if (known == null) functions.put(name, known = new ArrayList());
        FunctionMetadata told = FunctionMetadata.scalarBuilder(name.getFunctionName())
                .signature(signature).functionId(new FunctionId(name + "/" + known.size()))
                .noDescription().build();
        known.add(new CatalogFunctionMetadata(handle(folded(place[0])), folded(place[1]), told));
    }

    /** The view, with catalog and schema of its short names, and the path of those of functions. */
    void view(String[] place, List columns, String[] context, List path, String sql) {
        List made = new ArrayList();
        for (Object one : columns) {
            String[] column = (String[]) one;
            made.add(new ViewColumn(column[0], type(column[1]).getTypeId(), Optional.empty()));
        }
        views.put(called(place), new ViewDefinition(sql, optional(context[0]),
                optional(context[1]), made, Optional.empty(), Optional.of(OWNER), path));
    }

    static Optional optional(String name) {
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static QualifiedObjectName called(String[] place) {
        return new QualifiedObjectName(folded(place[0]), folded(place[1]), folded(place[2]));
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ENGLISH);
    }

    /** What the analyzer asks of catalogs is answered here; the rest is of functions. */
    public Object invoke(Object proxy, Method asked, Object[] given) throws Throwable {
        String name = asked.getName();
        if (name.equals("getFunctions")) return functions((CatalogSchemaFunctionName) given[1]);
        if (name.equals("getCatalogHandle")) return Optional.of(handle((String) given[1]));
        if (name.equals("getRedirectionAwareTableHandle")) return redirected(given);
        if (name.equals("getTableHandle")) return found((QualifiedObjectName) given[1]);
        if (name.equals("getTableSchema")) return schema((TableHandle) given[1]);
        if (name.equals("getColumnHandles")) return columns(schema((TableHandle) given[1]));
        if (name.equals("getView")) return Optional.ofNullable(views.get(given[1]));
        if (name.equals("getFunctionDependencies") && isOfCatalog(given)) {
            return FunctionDependencyDeclaration.NO_DEPENDENCIES;
        }
        if (name.equals("getMaterializedView")) return Optional.empty();
        if (name.equals("isView")) return Boolean.valueOf(views.containsKey(given[1]));
        if (name.equals("catalogExists") || name.equals("schemaExists")) return Boolean.TRUE;
        if (DENIED.contains(name)) return Boolean.FALSE;
        try {
            return asked.invoke(own, given);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    private Collection functions(CatalogSchemaFunctionName wanted) {
        boolean builtin = GlobalFunctionCatalog.isBuiltinFunctionName(wanted);
        if (builtin) return own.getFunctions(null, wanted);
        List found = (List) functions.get(wanted);
        return found == null ? Collections.EMPTY_LIST : found;
    }

    private static boolean isOfCatalog(Object[] given) {
        return !GlobalSystemConnector.CATALOG_HANDLE.equals(given[1]);
    }

    /** What a table was at another time nobody knows. */
    private RedirectionAwareTableHandle redirected(Object[] given) {
        for (int i = 2; i < given.length; i++) {
            if (((Optional) given[i]).isPresent()) throw new IllegalStateException("time travel");
        }
        return RedirectionAwareTableHandle.noRedirection(found((QualifiedObjectName) given[1]));
    }

    private static CatalogHandle handle(String catalog) {
        CatalogHandle.CatalogVersion only = new CatalogHandle.CatalogVersion("1");
        return CatalogHandle.createRootCatalogHandle(catalog, only);
    }

    private Optional found(QualifiedObjectName wanted) {
        if (!tables.containsKey(wanted)) return Optional.empty();
        return Optional.of(new TableHandle(
                handle(wanted.getCatalogName()), new Handle(wanted.toString()), this));
    }

    private TableSchema schema(TableHandle wanted) {
        String name = ((Handle) wanted.getConnectorHandle()).name;
        return (TableSchema) tables.get(QualifiedObjectName.valueOf(name));
    }

    private static Map columns(TableSchema table) {
        Map found = new HashMap();
        for (Object one : table.getColumns()) {
            String name = ((ColumnSchema) one).getName();
            found.put(name, new Handle(name));
        }
        return found;
    }

    /** What would make functions run, which nobody does. */
    public Object get() {
        throw new UnsupportedOperationException();
    }

    public Set getGroups(String user) {
        return Collections.EMPTY_SET;
    }
}
