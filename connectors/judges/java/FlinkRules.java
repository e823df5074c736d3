import java.math.BigDecimal;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;
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
        endless(plan);
        each(plan);
    }

    private static void each(RelNode plan) {
        plan.accept(new FlinkRules());
        if (plan instanceof Aggregate) grouped((Aggregate) plan);
        if (plan instanceof SetOp) together(plan);
        if (plan instanceof Join) equal(((Join) plan).getCondition(), -1);
        if (plan instanceof Filter) equal(((Filter) plan).getCondition(), sides(plan.getInput(0)));
        if (plan instanceof Sort) {
            for (Object one : ((Sort) plan).getCollation().getKeys()) orders(field(plan, one));
        }
        for (Object below : plan.getInputs()) each((RelNode) below);
    }

    public RexNode visitSubQuery(RexSubQuery query) {
        each(query.rel);
        if (query.getKind() == SqlKind.IN || query.getKind() == SqlKind.SOME) sought(query, false);
        return super.visitSubQuery(query);
    }

    public RexNode visitCall(RexCall call) {
        if (call.getKind() == SqlKind.NOT && call.getOperands().get(0) instanceof RexSubQuery) {
            RexSubQuery query = (RexSubQuery) call.getOperands().get(0);
            each(query.rel);
            if (query.getKind() == SqlKind.IN) sought(query, true); // it becomes no equality of a join
            return call;
        }
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

    /** `StreamExecSortLimit`, `BatchExecSortLimit`: in the order of all rows, an offset needs an end. */
    private static void endless(RelNode plan) {
        if (plan instanceof Project) endless(plan.getInput(0));
        if (!(plan instanceof Sort)) return;
        Sort sort = (Sort) plan;
        boolean ordered = !sort.getCollation().getFieldCollations().isEmpty();
        if (ordered && sort.offset != null && sort.fetch == null) {
            throw new ValidationException("FETCH is missed, which is not supported currently.");
        }
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

    /** What is sought in the rows of a query, one by one: a join, unless they are not to be there. */
    private static void sought(RexSubQuery query, boolean not) {
        for (int i = 0; i < query.getOperands().size(); i++) {
            RelDataType left = ((RexNode) query.getOperands().get(i)).getType();
            RelDataType right = field(query.rel, Integer.valueOf(i));
            if (not) compared(left, right);
            else joined(left, right);
        }
    }

    /** How many columns the left side of a join has; 0: it is none. */
    private static int sides(RelNode plan) {
        return plan instanceof Join ? ((Join) plan).getLeft().getRowType().getFieldCount() : 0;
    }

    /**
     * The equalities that a join goes by (`JoinUtil`): all of its own condition; of a filter those of
     * its sides, and those with a row outside of the subquery.
     */
    private static void equal(RexNode condition, int left) {
        for (Object one : RelOptUtil.conjunctions(condition)) {
            if (((RexNode) one).getKind() != SqlKind.EQUALS) continue;
            RexNode first = (RexNode) ((RexCall) one).getOperands().get(0);
            RexNode second = (RexNode) ((RexCall) one).getOperands().get(1);
            boolean joins = left < 0 || RexUtil.containsCorrelation(first)
                    || RexUtil.containsCorrelation(second) || apart(first, second, left);
            if (joins && !(first instanceof RexLiteral) && !(second instanceof RexLiteral)) {
                joined(first.getType(), second.getType());
            }
        }
    }

    private static boolean apart(RexNode first, RexNode second, int left) {
        ImmutableBitSet one = RelOptUtil.InputFinder.bits(first);
        ImmutableBitSet other = RelOptUtil.InputFinder.bits(second);
        if (left == 0 || one.isEmpty() || other.isEmpty()) return false;
        return one.length() <= left && other.nth(0) >= left
                || other.length() <= left && one.nth(0) >= left;
    }

    private static void joined(RelDataType left, RelDataType right) {
        if (unlike(left, right) || unlike(right, left)) {
            throw new ValidationException("implicit type conversion between " + left + " and " + right
                    + " is not supported on join's condition now");
        }
    }

    private static boolean unlike(RelDataType text, RelDataType other) {
        SqlTypeName kind = other.getSqlTypeName();
        boolean scalar = kind == SqlTypeName.BOOLEAN || SqlTypeFamily.NUMERIC.getTypeNames().contains(kind)
                || SqlTypeFamily.DATETIME.getTypeNames().contains(kind);
        return scalar && SqlTypeFamily.CHARACTER.getTypeNames().contains(text.getSqlTypeName());
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
