import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.Driver;
import org.apache.hadoop.hive.ql.processors.CommandProcessorResponse;
import org.apache.hadoop.hive.ql.session.SessionState;

/**
 * Compiles the queries of a file, as Hive does before it runs them, and carries out what else is
 * there.
 *
 * <p>Arguments are the metastore's URI, a folder for scratch files, the file. Statements end with a
 * semicolon at the end of a line. Printed is, for each, a line with its number and "done", or with
 * its number, "refused" and the message.
 */
public final class HiveSession {
  private static final String[] PLACES = {
    "hive.exec.scratchdir", "hive.exec.local.scratchdir", "hive.downloaded.resources.dir"
  };

  public static void main(String[] arguments) throws Exception {
    HiveConf conf = new HiveConf();
    conf.set("hive.metastore.uris", arguments[0]);
    conf.set("fs.defaultFS", "file:///");
    for (String place : PLACES) {
      conf.set(place, arguments[1] + "/" + place);
    }
    conf.setBoolean("hive.support.concurrency", false);
    conf.setBoolean("hive.auto.convert.join", false); // its Kryo does not run on Java 17
    SessionState.start(conf);
    int number = 0;
    for (String statement : Files.readString(Path.of(arguments[2])).split(";\n")) {
      String refusal = refusal(conf, statement);
      String told = refusal == null ? "done" : "refused\t" + refusal.replaceAll("\\s+", " ");
      System.out.println(number++ + "\t" + told);
    }
    System.exit(0);
  }

  private static String refusal(HiveConf conf, String statement) {
    Driver driver = new Driver(conf);
    try {
      boolean query = statement.startsWith("select");
      CommandProcessorResponse answer =
          query ? driver.compileAndRespond(statement) : driver.run(statement);
      return answer.getResponseCode() == 0 ? null : String.valueOf(answer.getErrorMessage());
    } catch (Exception | AssertionError fault) { // Calcite asserts; as a server does
      return fault.toString();
    } finally {
      driver.close();
    }
  }
}
