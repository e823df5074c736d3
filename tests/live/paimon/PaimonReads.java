import java.util.Map;
import java.util.TreeMap;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.JsonSerdeUtil;
import org.apache.paimon.view.View;
import org.apache.paimon.view.ViewChange;

/** What Paimon's own REST client makes of a view; before that, it sets an option if told one. */
public class PaimonReads {
  public static void main(String[] arguments) throws Exception {
    Options options = new Options();
    options.set("metastore", "rest");
    options.set("uri", arguments[0]);
    options.set("warehouse", "wh");
    options.set("token.provider", "bear");
    options.set("token", PaimonRest.TOKEN);
    Identifier place = Identifier.create(arguments[1], arguments[2]);
    try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
      if (arguments.length > 3) {
        catalog.alterView(
            place, java.util.List.of(ViewChange.setOption(arguments[3], arguments[4])), false);
      }
      View view = catalog.getView(place);
      Map<String, Object> told = new TreeMap<>();
      told.put("views", catalog.listViews(arguments[1]));
      told.put("columns", view.rowType().asSQLString());
      told.put("query", view.query());
      told.put("spark", view.query("spark"));
      told.put("flink", view.query("flink"));
      told.put("dialects", view.dialects());
      told.put("comment", view.comment().orElse(""));
      told.put("options", view.options());
      told.put("database", catalog.getDatabase(arguments[1]).options());
      System.out.println("SAID " + JsonSerdeUtil.toFlatJson(told));
    }
  }
}
