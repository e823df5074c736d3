import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;

/**
 * Carries out the statements of a file in one local session, without a cluster.
 *
 * <p>The arguments are the file, the dialect, which begins when a catalog is chosen: Hive's is
 * refused in any but one of Hive, and the mode: batch or streaming. Statements end with a semicolon at the end of a line. Printed is, for each, a line with its
 * number and "rows", the rows behind it, or with its number, "refused" and the innermost message.
 */
public final class FlinkSession {
  public static void main(String[] arguments) throws Exception {
    boolean batch = arguments[2].equals("batch");
    TableEnvironment session =
        TableEnvironment.create(
            batch ? EnvironmentSettings.inBatchMode() : EnvironmentSettings.inStreamingMode());
    int number = 0;
    for (String statement : Files.readString(Path.of(arguments[0])).split(";\n")) {
      try {
        TableResult result = session.executeSql(statement);
        result.await();
        if (statement.startsWith("USE CATALOG")) {
          session.getConfig().set("table.sql-dialect", arguments[1]);
        }
        System.out.println(number + "\trows");
        for (Iterator<Row> rows = result.collect(); rows.hasNext(); ) {
          System.out.println(rows.next());
        }
      } catch (Exception | AssertionError refusal) { // Calcite asserts
        Throwable cause = refusal;
        while (cause.getCause() != null) {
          cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage()).replace('\n', ' ');
        System.out.println(number + "\trefused\t" + message);
      }
      number++;
    }
  }
}
