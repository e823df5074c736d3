import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.parse.ParseDriver;

/** Hive's parser since 4, which takes a configuration without a session. */
public class Hive4 extends HiveTokens {
    private final Configuration configuration = new Configuration(false);

    public static void main(String[] arguments) throws Exception {
        new Hive4().serve();
    }

    protected Object parse(String sql) throws Exception {
        return new ParseDriver().parse(sql, configuration).getTree();
    }
}
