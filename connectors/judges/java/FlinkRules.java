import java.math.BigDecimal;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.flink.table.api.ValidationException;

/**
 * What Flink refuses only when it makes code of a plan, in its words (`ScalarOperatorGens`): before
 * that it validates and optimizes without a complaint.
 */
public class FlinkRules extends RexShuttle {
    static void check(RelNode plan) {
        plan.accept(new FlinkRules());
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
        return super.visitCall(call);
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
