import java.math.BigDecimal;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.functions.casting.CastRuleProvider;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * What Flink refuses only when it makes code of a plan, in its words (`ScalarOperatorGens`): before
 * that it validates and optimizes without a complaint.
 */
public class FlinkRules extends RexShuttle {
    static void check(RelNode plan) {
        plan.accept(new FlinkRules());
        if (plan instanceof Aggregate) grouped((Aggregate) plan);
        if (plan instanceof SetOp) together(plan);
        if (plan instanceof Sort) {
            for (Object one : ((Sort) plan).getCollation().getKeys()) orders(field(plan, one));
        }
        for (Object below : plan.getInputs()) check((RelNode) below);
    }

    public RexNode visitSubQuery(RexSubQuery query) {
        check(query.rel);
        return super.visitSubQuery(query);
    }

    public RexNode visitCall(RexCall call) {
        if (SqlKind.COMPARISON.contains(call.getKind()) && call.getOperands().size() == 2) {
            compared(type(call, 0), type(call, 1));
        }
        if (call.getKind() == SqlKind.ITEM && type(call, 0).getSqlTypeName() == SqlTypeName.ARRAY) {
            indexed((RexNode) call.getOperands().get(1));
        }
        if (call.getKind() == SqlKind.CAST && !(call.getOperands().get(0) instanceof RexLiteral)) {
            cast(type(call, 0), call.getType());
        }
        return super.visitCall(call);
    }

    private static RelDataType field(RelNode row, Object number) {
        Object found = row.getRowType().getFieldList().get(((Integer) number).intValue());
        return ((RelDataTypeField) found).getType();
    }

    /** What is put together becomes of one type, by casts that come later. */
    private static void together(RelNode plan) {
        for (Object input : plan.getInputs()) {
            for (int i = 0; i < plan.getRowType().getFieldCount(); i++) {
                RelDataType wanted = field(plan, Integer.valueOf(i));
                cast(field((RelNode) input, Integer.valueOf(i)), wanted);
            }
        }
    }

    /** `AggFunctionFactory`, and the fields of GROUP BY and DISTINCT. */
    private static void grouped(Aggregate plan) {
        RelNode input = plan.getInput();
        for (Object one : plan.getGroupSet()) orders(field(input, one));
        for (Object one : plan.getAggCallList()) {
            AggregateCall call = (AggregateCall) one;
            SqlKind kind = call.getAggregation().getKind();
            if (kind == SqlKind.COUNT && call.getArgList().size() > 1) {
                throw new ValidationException("We now only support the count of one field.");
            }
            if (kind == SqlKind.MAX || kind == SqlKind.MIN) {
                orders(field(input, call.getArgList().get(0)));
            }
        }
    }

    /** `generateCompare`, of a job in batch mode. */
    private static void orders(RelDataType type) {
        SqlTypeName kind = type.getSqlTypeName();
        if (kind == SqlTypeName.MAP || kind == SqlTypeName.MULTISET) {
            throw new ValidationException("Type(" + type + ") is not an orderable data type, "
                    + "it is not supported as a ORDER_BY/GROUP_BY/JOIN_EQUAL field.");
        }
    }

    private static RelDataType type(RexCall call, int operand) {
        return ((RexNode) call.getOperands().get(operand)).getType();
    }

    /** `checkImplicitConversionValidity`, of equalities: where order counts, the validator casts. */
    private static void compared(RelDataType left, RelDataType right) {
        if (mixed(left, right) || mixed(right, left)) {
            throw new ValidationException("implicit type conversion between "
                    + left.getSqlTypeName() + " and " + right.getSqlTypeName()
                    + " is not supported now");
        }
    }

    private static boolean mixed(RelDataType text, RelDataType number) {
        return SqlTypeFamily.CHARACTER.getTypeNames().contains(text.getSqlTypeName())
                && SqlTypeFamily.NUMERIC.getTypeNames().contains(number.getSqlTypeName());
    }

    /** `generateCast`: the validator, too, casts where types differ, and by fewer rules. */
    private static void cast(RelDataType from, RelDataType to) {
        LogicalType given = FlinkTypeFactory.toLogicalType(from);
        LogicalType wanted = FlinkTypeFactory.toLogicalType(to);
        boolean numbered = given.is(LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE)
                && wanted.is(LogicalTypeFamily.NUMERIC); // `TimestampToNumericCastRule`
        if (numbered || CastRuleProvider.resolve(given, wanted) == null) {
            throw new ValidationException("Unsupported cast from '" + given.asSummaryString()
                    + "' to '" + wanted.asSummaryString() + "'.");
        }
    }

    /** `generateArrayElementAt`: elements are counted from 1. */
    private static void indexed(RexNode index) {
        if (!(index instanceof RexLiteral)) return;
        Object value = ((RexLiteral) index).getValue();
        if (value instanceof BigDecimal && ((BigDecimal) value).signum() < 1) {
            throw new ValidationException(
                    "Array element access needs an index starting at 1 but was " + value + ".");
        }
    }
}
