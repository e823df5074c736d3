import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;

/**
 * The tables and functions that a statement names, without those that its WITH clauses make, and
 * the columns that it returns, where the engine says.
 */
public class Names {
    private final Set tables = new LinkedHashSet();
    private final Set functions = new LinkedHashSet();
    private final Set columns = new LinkedHashSet();
    private final Set untold = new LinkedHashSet();
    private boolean exact;
    private Set inside = new HashSet();

    /** Whether names of WITH clauses differ by their case. */
    public Names(boolean exact) {
        this.exact = exact;
    }

    /** Whether they do in the statement at hand. */
    public void compare(boolean exactly) {
        exact = exactly;
    }

    /** A table or view, if it is not a WITH clause's that is in scope. */
    public void table(List parts) {
        if (parts.size() > 1 || !inside.contains(folded(parts.get(0)))) {
            tables.add(new ArrayList(parts));
        }
    }

    public void function(List parts) {
        functions.add(new ArrayList(parts));
    }

    /** A table whose name is to be computed: what the statement reads is not in the tree. */
    public void computed() {
        untold.add(new ArrayList());
    }

    /** The columns that the statement returns, in the engine's JSON. */
    public void columns(String json) {
        List part = new ArrayList();
        part.add(json);
        columns.add(part);
    }

    /** The same, with the text that the statement was translated into. */
    public void columns(String json, String translated) {
        List parts = new ArrayList();
        parts.add(json);
        parts.add(translated);
        columns.add(parts);
    }

    /** From here on a one-part name is that of a WITH clause. */
    public void define(String name) {
        inside.add(folded(name));
    }

    /** What is in scope, to be given back to `leave`. */
    public Set enter() {
        Set outside = inside;
        inside = new HashSet(outside);
        return outside;
    }

    public void leave(Set outside) {
        inside = outside;
    }

    void write(Child child) throws IOException {
        child.write(tables.size() + functions.size() + columns.size() + untold.size());
        write(child, 0, tables);
        write(child, 1, functions);
        write(child, 2, columns);
        write(child, 3, untold);
    }

    private static void write(Child child, int kind, Set names) throws IOException {
        for (Object name : names) {
            List parts = (List) name;
            child.write(kind);
            child.write(parts.size());
            for (Object part : parts) child.write(String.valueOf(part));
        }
    }

    /** As a string of JSON. */
    static String quoted(String text) {
        StringBuilder made = new StringBuilder().append('"');
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == '"' || one == '\\') made.append('\\');
            if (one >= ' ') made.append(one);
            else made.append(String.format("\\u%04x", new Object[] {Integer.valueOf(one)}));
        }
        return made.append('"').toString();
    }

    private String folded(Object name) {
        String spelled = String.valueOf(name);
        return exact ? spelled : spelled.toLowerCase(Locale.ROOT);
    }
}
