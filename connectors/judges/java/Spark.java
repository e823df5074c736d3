import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.ExpressionWithUnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.PlanWithUnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.analysis.UnresolvedGenerator;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableValuedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StringType;
import scala.Function1;
import scala.Function2;
import scala.Product;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;

/** Spark's parser and its unresolved plans; every node of them, and what it holds, is a Product. */
public class Spark extends Child {
    private static final List EXTRACT = Collections.singletonList("extract"); // FROM makes it syntax
    private final SparkSqlParser parser = new SparkSqlParser();
    private SQLConf configured; // null: as a session begins
    private Object named; // the tree that says what is read; null: only the session can say

    public static void main(String[] arguments) throws Exception {
        new Spark().serve();
    }

    /**
     * The settings of a view, as Spark takes them up when it reads one: all that were captured, and
     * ANSI mode off where that was not (`spark.sql.assumeAnsiFalseIfNotPersisted.enabled`).
     */
    protected void configure(String[] settings) {
        configured = null;
        if (settings.length == 0) return;
        SQLConf made = new SQLConf();
        made.settings().put("spark.sql.ansi.enabled", "false");
        for (int i = 0; i < settings.length; i += 2) {
            made.settings().put(settings[i], settings[i + 1]);
        }
        configured = made;
    }

    protected Object parse(String sql) {
        Object tree = parsed(sql, configured);
        named = sql.contains("${") ? unfilled(sql) : tree;
        return tree;
    }

    private Object parsed(final String sql, SQLConf under) {
        if (under == null) return parser.parsePlan(sql);
        return SQLConf.withExistingConf(under, new AbstractFunction0() {
            public Object apply() {
                return parser.parsePlan(sql);
            }
        });
    }

    /** The tree with its variables, `${x}`, as they are; null: what they stand for is no literal. */
    private Object unfilled(String sql) {
        SQLConf made = new SQLConf();
        if (configured != null) made.settings().putAll(configured.settings());
        made.settings().put("spark.sql.variable.substitute", "false");
        try {
            return parsed(sql, made);
        } catch (Exception refusal) {
            return null;
        }
    }

    protected int[] position(Throwable refusal) {
        if (!(refusal instanceof ParseException)) return null;
        ParseException error = (ParseException) refusal;
        if (error.start().line().isEmpty() || error.start().startPosition().isEmpty()) return null;
        int line = ((Integer) error.start().line().get()).intValue();
        return new int[] {line, ((Integer) error.start().startPosition().get()).intValue() + 1};
    }

    protected void read(Object tree, Names names) {
        names.compare(configured != null && configured.caseSensitiveAnalysis());
        if (named == null) names.computed();
        else walk(named, names);
    }

    private void walk(Object tree, Names names) {
        if (tree instanceof UnresolvedRelation) {
            names.table(list(((UnresolvedRelation) tree).multipartIdentifier()));
            return;
        }
        if (tree instanceof PlanWithUnresolvedIdentifier) {
            Expression name = ((PlanWithUnresolvedIdentifier) tree).identifierExpr();
            if (isText(name)) walk(named((Product) tree, name), names);
            else names.computed();
        } else if (tree instanceof ExpressionWithUnresolvedIdentifier) {
            Expression name = ((ExpressionWithUnresolvedIdentifier) tree).identifierExpr();
            if (isText(name)) walk(named((Product) tree, name), names);
        } else if (tree instanceof UnresolvedFunction) {
            List called = list(((UnresolvedFunction) tree).nameParts());
            if (!called.equals(EXTRACT)) names.function(called);
        } else if (tree instanceof UnresolvedTableValuedFunction) {
            names.function(list(((UnresolvedTableValuedFunction) tree).name()));
        } else if (tree instanceof UnresolvedGenerator) {
            names.function(list(((UnresolvedGenerator) tree).name().nameParts()));
        }
        Set outside = names.enter();
        if (tree instanceof UnresolvedWith) {
            define((UnresolvedWith) tree, names);
            walk(((UnresolvedWith) tree).child(), names);
        } else if (tree instanceof scala.collection.Iterable) {
            inside(((scala.collection.Iterable) tree).iterator(), names);
        } else if (tree instanceof Product) {
            inside(((Product) tree).productIterator(), names);
        }
        names.leave(outside);
    }

    private void inside(Iterator parts, Names names) {
        while (parts.hasNext()) {
            Object part = parts.next();
            if (part instanceof Product || part instanceof scala.collection.Iterable) {
                walk(part, names);
            }
        }
    }

    private void define(UnresolvedWith with, Names names) {
        for (Object one : list(with.cteRelations())) {
            Product relation = (Product) one; // name, plan and, since Spark 4, how deep it may go
            if (isRecursive(with)) names.define(String.valueOf(relation.productElement(0)));
            walk(relation.productElement(1), names);
            names.define(String.valueOf(relation.productElement(0)));
        }
    }

    /** Its third element says it, since Spark 4.1. */
    private static boolean isRecursive(UnresolvedWith with) {
        return with.productArity() > 2 && Boolean.TRUE.equals(with.productElement(2));
    }

    /** What IDENTIFIER stands for: the last element makes it, since Spark 4 of what is between. */
    private static Object named(Product made, Expression name) {
        Object maker = made.productElement(made.productArity() - 1);
        if (maker instanceof Function1) return ((Function1) maker).apply(parts(name));
        return ((Function2) maker).apply(parts(name), made.productElement(1));
    }

    /** IDENTIFIER of a text that is there: Spark asks for a constant that needs no name. */
    private static boolean isText(Expression written) {
        return written.resolved() && written.foldable() && written.dataType() instanceof StringType;
    }

    private static scala.collection.Seq parts(Expression written) {
        String name = String.valueOf(written.eval(null));
        return CatalystSqlParser$.MODULE$.parseMultipartIdentifier(name);
    }

    private static List list(scala.collection.Seq parts) {
        return CollectionConverters.asJava(parts);
    }
}
