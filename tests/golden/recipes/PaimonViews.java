import java.util.List;
import java.util.Map;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.types.BigIntType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.VarCharType;
import org.apache.paimon.view.ViewImpl;

/**
 * Paimon 1.4.2 makes a view in a Hive Metastore through its Hive catalog.
 *
 * <p>Needs: paimon-bundle, paimon-hive-catalog, the jars of Hive 2.3. Run: java PaimonViews.java
 * WAREHOUSE thrift://host:port with them on the class path; the entry is then read over Thrift.
 */
public class PaimonViews {
  public static void main(String[] arguments) throws Exception {
    Options options = new Options();
    options.set("warehouse", arguments[0]);
    options.set("metastore", "hive");
    options.set("uri", arguments[1]);
    try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
      catalog.createDatabase("pmdb", true);
      List<DataField> fields =
          List.of(
              new DataField(0, "id", new BigIntType(false), "the id"),
              new DataField(1, "Name", new VarCharType(20)));
      catalog.createView(
          Identifier.create("pmdb", "v_plain"),
          new ViewImpl(
              Identifier.create("pmdb", "v_plain"),
              fields,
              "SELECT id, `Name` FROM t",
              Map.of(),
              null,
              Map.of()),
          false);
    }
  }
}
