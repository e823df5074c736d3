import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import org.antlr.runtime.RecognitionException;
import org.antlr.runtime.TokenRewriteStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.apache.hadoop.hive.ql.parse.ParseDriver;
import org.apache.hadoop.hive.ql.parse.ParseException;

/** Hive's parser, up to 3. */
public class Hive extends HiveTokens {
    private static final Field ERRORS; // of the parser; only its package may see them
    private static final Constructor REFUSAL;
    private final Configuration configuration = new Configuration(false);

    static {
        try {
            ERRORS = HiveParser.class.getDeclaredField("errors");
            ERRORS.setAccessible(true);
            REFUSAL = ParseException.class.getDeclaredConstructor(new Class[] {ArrayList.class});
            REFUSAL.setAccessible(true);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        new Hive().serve();
    }

    /**
     * As `ParseDriver.parse` does with a `Context`, which would want a session and its folders: the
     * lexer takes quoted identifiers only with a configuration, whose default is `column`.
     */
    protected Object parse(String sql) throws Exception {
        ParseDriver driver = new ParseDriver();
        ParseDriver.HiveLexerX lexer = driver.new HiveLexerX(driver.new ANTLRNoCaseStringStream(sql));
        lexer.setHiveConf(configuration);
        HiveParser parser = new HiveParser(new TokenRewriteStream(lexer));
        parser.setHiveConf(configuration);
        parser.setTreeAdaptor(ParseDriver.adaptor);
        ArrayList errors = lexer.getErrors();
        ASTNode tree = null;
        try {
            tree = (ASTNode) parser.statement().getTree();
        } catch (RecognitionException error) {
            throw refusal((ArrayList) ERRORS.get(parser));
        }
        if (!errors.isEmpty()) throw refusal(errors);
        if (!((ArrayList) ERRORS.get(parser)).isEmpty()) throw refusal((ArrayList) ERRORS.get(parser));
        tree.setUnknownTokenBoundaries();
        return tree;
    }

    private static Exception refusal(ArrayList errors) throws Exception {
        return (Exception) REFUSAL.newInstance(new Object[] {errors});
    }
}
