import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlPivot;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.SqlUnpivot;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;

/** Flink's parser: Calcite's with Flink's grammar, set up as Flink's planner does. */
public class Flink extends Child {
    private static final Pattern PLACE = Pattern.compile("line (\\d+), column (\\d+)");
    /** Called by name, but syntax: columns for a windowing function, and in 1.20 a cast. */
    private static final List SYNTAX = Arrays.asList(new String[] {"DESCRIPTOR", "TRY_CAST"});
    private static final Field RECURSIVE = recursive(); // null: the Calcite of Flink 1.20 has none
    private final SqlParser.Config config = SqlParser.config()
            .withParserFactory(FlinkSqlParserImpl.FACTORY)
            .withConformance(FlinkSqlConformance.DEFAULT)
            .withLex(Lex.JAVA)
            .withIdentifierMaxLength(256);

    public static void main(String[] arguments) throws Exception {
        new Flink().serve();
    }

    /** Calcite compares them as they are spelled (WithScope), and Flink's catalogs do, too. */
    protected Names names() {
        return new Names(true);
    }

    protected Object parse(String sql) throws Exception {
        return SqlParser.create(sql, config).parseStmt();
    }

    protected int[] position(Throwable refusal) {
        SqlParserPos place = null;
        if (refusal instanceof SqlParseException) place = ((SqlParseException) refusal).getPos();
        if (place != null) {
            return new int[] {place.getLineNum(), place.getColumnNum()};
        }
        Matcher found = PLACE.matcher(String.valueOf(refusal.getMessage())); // TokenMgrError
        if (!found.find()) return null;
        return new int[] {Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2))};
    }

    /** A query or an expression: an identifier in it is a column. */
    protected void read(Object tree, Names names) throws Exception {
        if (tree instanceof SqlNodeList) {
            for (Object one : (SqlNodeList) tree) read(one, names);
        } else if (tree instanceof SqlWith) {
            with((SqlWith) tree, names);
        } else if (tree instanceof SqlCall) {
            call((SqlCall) tree, names);
        }
    }

    private void call(SqlCall call, Names names) throws Exception {
        if (call.getKind() == SqlKind.EXPLICIT_TABLE) {
            from(call.operand(0), names);
            return;
        }
        SqlOperator operator = call.getOperator();
        if (operator instanceof SqlUnresolvedFunction) { // called by name; others are syntax: CAST
            SqlIdentifier name = ((SqlFunction) operator).getSqlIdentifier();
            List builtIn = Collections.singletonList(operator.getName());
            if (!SYNTAX.contains(operator.getName())) names.function(name == null ? builtIn : name.names);
        }
        SqlNode from = call instanceof SqlSelect ? ((SqlSelect) call).getFrom() : null;
        if (from != null) from(from, names);
        for (Object operand : call.getOperandList()) {
            if (operand != from) read(operand, names);
        }
    }

    /** What stands in a FROM clause: an identifier there is a table. */
    private void from(SqlNode node, Names names) throws Exception {
        if (node instanceof SqlIdentifier) {
            names.table(((SqlIdentifier) node).names);
        } else if (node instanceof SqlJoin) {
            from(((SqlJoin) node).getLeft(), names);
            from(((SqlJoin) node).getRight(), names);
            read(((SqlJoin) node).getCondition(), names);
        } else if (wraps(node)) {
            List operands = ((SqlCall) node).getOperandList();
            from((SqlNode) operands.get(0), names);
            for (int i = 1; i < operands.size(); i++) read(operands.get(i), names);
        } else {
            read(node, names);
        }
    }

    /** Whether the first operand stands in the FROM clause, too. */
    private static boolean wraps(SqlNode node) {
        SqlKind kind = node.getKind();
        return node instanceof SqlTableRef || node instanceof SqlSnapshot
                || node instanceof SqlMatchRecognize || node instanceof SqlPivot
                || node instanceof SqlUnpivot || kind == SqlKind.AS || kind == SqlKind.TABLESAMPLE
                || kind == SqlKind.LATERAL || kind == SqlKind.EXTEND;
    }

    private void with(SqlWith with, Names names) throws Exception {
        Set outside = names.enter();
        for (Object one : with.withList) {
            SqlWithItem item = (SqlWithItem) one;
            String name = item.name.getSimple();
            if (isRecursive(item)) names.define(name);
            read(item.query, names);
            names.define(name);
        }
        read(with.body, names);
        names.leave(outside);
    }

    private static Field recursive() {
        try {
            return SqlWithItem.class.getField("recursive");
        } catch (NoSuchFieldException older) {
            return null;
        }
    }

    private static boolean isRecursive(SqlWithItem item) throws IllegalAccessException {
        Object said = RECURSIVE == null ? null : RECURSIVE.get(item);
        return said != null && ((SqlLiteral) said).booleanValue();
    }
}
