import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.rest.RESTCatalogServer;
import org.apache.paimon.rest.auth.BearTokenAuthProvider;
import org.apache.paimon.rest.responses.ConfigResponse;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.BigIntType;
import org.apache.paimon.types.CharType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.IntType;
import org.apache.paimon.types.LocalZonedTimestampType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.MultisetType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.types.TimeType;
import org.apache.paimon.types.TimestampType;
import org.apache.paimon.types.VarBinaryType;
import org.apache.paimon.types.VarCharType;
import org.apache.paimon.view.ViewImpl;

/** Paimon's own REST test server, with views that its own REST client makes; loopback only. */
public class PaimonRest {
  static final String TOKEN = "tok-4f0c";

  public static void main(String[] arguments) throws Exception {
    ConfigResponse config = new ConfigResponse(Map.of("prefix", "paimon"), Map.of());
    BearTokenAuthProvider auth = new BearTokenAuthProvider(TOKEN);
    RESTCatalogServer server = new RESTCatalogServer(arguments[0], auth, config, "wh");
    server.start();
    Options options = new Options();
    options.set("metastore", "rest");
    options.set("uri", server.getUrl());
    options.set("warehouse", "wh");
    options.set("token.provider", "bear");
    options.set("token", TOKEN);
    if (arguments.length == 1) { // a second one: it stays empty
      try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
        fill(catalog);
      }
    }
    System.out.println("READY " + server.getUrl());
    new CountDownLatch(1).await();
  }

  static void fill(Catalog catalog) throws Exception {
    catalog.createDatabase("contract", false, Map.of("comment", "of the contract", "k", "v"));
    Schema schema = Schema.newBuilder().column("x", DataTypes.INT()).build();
    catalog.createTable(Identifier.create("contract", "t"), schema, false);
    List<DataField> one = List.of(new DataField(0, "x", new IntType(), "the x"));
    for (String name : new String[] {"v_one", "v_two"}) {
      view(catalog, "contract", name, one, Map.of("spark", "SELECT x FROM t"), null, Map.of());
    }
    catalog.createDatabase("pmdb", false);
    Map<String, String> context =
        Map.of(
            "gravitino.view.default-catalog", "lake", "gravitino.view.default-schema", "pmdb",
            "k", "v");
    Map<String, String> dialects = Map.of("flink", "SELECT 1", "spark", "select * from t");
    view(catalog, "pmdb", "v_dialects", types(), dialects, "a paimon view", context);
    view(catalog, "pmdb", "v_plain", types().subList(0, 2), Map.of(), null, Map.of());
  }

  static void view(
      Catalog catalog, String database, String name, List<DataField> fields,
      Map<String, String> dialects, String comment, Map<String, String> options)
      throws Exception {
    Identifier place = Identifier.create(database, name);
    String query = "SELECT * FROM `t`";
    ViewImpl view = new ViewImpl(place, fields, query, dialects, comment, options);
    catalog.createView(place, view, false);
  }

  static List<DataField> types() {
    RowType row =
        new RowType(
            false,
            Arrays.asList(
                new DataField(0, "a", new IntType(false), "the a"),
                new DataField(1, "b", VarCharType.STRING_TYPE)));
    return Arrays.asList(
        new DataField(0, "id", new BigIntType(false), "the id"),
        new DataField(1, "Name", new VarCharType(20)),
        new DataField(2, "amt", new DecimalType(10, 2)),
        new DataField(3, "tags", new ArrayType(VarCharType.STRING_TYPE.copy(false))),
        new DataField(4, "m", new MapType(VarCharType.STRING_TYPE, new IntType())),
        new DataField(5, "r", row),
        new DataField(6, "ts", new TimestampType(3)),
        new DataField(7, "ltz", new LocalZonedTimestampType(6)),
        new DataField(8, "tm", new TimeType(3)),
        new DataField(9, "bin", new VarBinaryType(16)),
        new DataField(10, "ch", new CharType(3)),
        new DataField(11, "deep", new ArrayType(new MapType(new IntType(), row))),
        new DataField(12, "bag", new MultisetType(new IntType())),
        new DataField(13, "v", DataTypes.VARIANT()));
  }
}
