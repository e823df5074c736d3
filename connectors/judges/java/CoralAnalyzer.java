import java.util.ArrayList;
import java.util.List;

/**
 * What Coral makes of a view, before Trino's analyzer: as the text of a view with the columns that
 * Coral tells, in the catalog and the database of the view (io.trino.plugin.hive, ViewReaderUtil).
 *
 * The settings of a statement are those of Coral, and then, as for `TrinoAnalyzer`, the number of
 * tables and each of them with Trino's types; without a number the analyzer is not asked. What
 * Coral has told of a view stays in the answer, also where the analyzer refuses or gives up.
 */
public class CoralAnalyzer extends Coral {
    private static final String CATALOG = "hive"; // Coral's texts name none
    private final TrinoAnalyzer analyzer;
    private boolean isAsked; // what is thrown then is the analyzer's

    public CoralAnalyzer() throws Exception {
        analyzer = TrinoAnalyzer.made();
        configure(new String[] {"default", "view", "0", "0", "0"});
    }

    public static void main(String[] arguments) throws Exception {
        new CoralAnalyzer().serve();
    }

    protected String first() {
        return "SELECT 1 AS one"; // a view's column has a name
    }

    protected Object parse(String sql) {
        isAsked = false;
        return super.parse(sql);
    }

    protected void analyze(String translated, List columns) {
        isAsked = true;
        List tables = rest();
        if (tables.isEmpty()) throw new IllegalStateException("Trino has no type for what is read");
        String[] place = place();
        List told = new ArrayList();
        told.add(CATALOG);
        told.add(place[0]);
        told.add(place[1]);
        told.add(String.valueOf(columns.size()));
        for (Object one : columns) {
            told.add(((String[]) one)[0]);
            told.add(((String[]) one)[1]);
        }
        told.add(CATALOG);
        told.add(place[0]);
        told.addAll(tables);
        told.add("0"); // no path
        told.add("0"); // no functions
        analyzer.configure((String[]) told.toArray(new String[0]));
        analyzer.parse(translated);
    }

    protected boolean refuses(Throwable error) {
        return isAsked ? analyzer.refuses(error) : super.refuses(error);
    }

    protected String message(Throwable refusal) {
        return isAsked ? analyzer.message(refusal) : super.message(refusal);
    }
}
