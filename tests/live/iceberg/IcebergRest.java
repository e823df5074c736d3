import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Iceberg's own REST test server over its JdbcCatalog on SQLite; loopback only. */
public class IcebergRest {
  public static void main(String[] arguments) throws Exception {
    String folder = arguments[0];
    Map<String, String> properties =
        Map.of(
            "catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog",
            "uri", "jdbc:sqlite:" + folder + "/catalog.db",
            "jdbc.schema-version", "V1",
            "warehouse", "file:" + folder + "/warehouse",
            "clients", "1");
    Catalog catalog = CatalogUtil.buildIcebergCatalog("prod", properties, new Configuration());
    ServletContextHandler handler = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
    handler.addServlet(
        new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalog))), "/*");
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(handler);
    server.start();
    System.out.println("READY " + server.getURI());
    server.join();
  }
}
