import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/**
 * What the child processes of all judges share: statements in, verdicts out, over the standard
 * input and output.
 *
 * In: the sets of settings (their number, then for each the number of its texts, and the texts: key,
 * value, key …); then the number of statements, and for each a byte (1: say what it reads), the
 * number of its set of settings, and its text. Out: for
 * each statement, as soon as it is parsed, a byte (verdict), line, column, message, and the names:
 * their number, then for each its kind (0: table, 1: function, 2: the columns that the statement
 * returns, in the engine's JSON), the number of its parts, the parts. Numbers have four bytes; a text is the number of its bytes, then UTF-8. The first answer is one
 * byte: ready.
 *
 * Compiled by Janino when the process starts: no lambdas, and type arguments are not looked at.
 */
public abstract class Child implements Runnable {
    private static final int ACCEPTED = 1;
    private static final int REFUSED = 2;
    private static final int GAVE_UP = 3;
    private static final int LONGEST_MESSAGE = 1000; // characters; Spark's repeat the whole text
    private static final long STACK = 16 << 20;
    private DataInputStream in;
    private DataOutputStream out;

    /** The engine's tree of a statement; throws what the engine's parser throws. */
    protected abstract Object parse(String sql) throws Exception;

    /** Puts the names that a tree reads into the answer. */
    protected abstract void read(Object tree, Names names) throws Exception;

    /** Line and column of a refusal, both counted from 1; null if it has none. */
    protected abstract int[] position(Throwable refusal);

    /** What gathers names; most engines compare those of WITH clauses without their case. */
    protected Names names() {
        return new Names(false);
    }

    /** Whether the engine would say so to its user; else it says nothing of the statement. */
    protected boolean refuses(Throwable error) {
        return true;
    }

    /** From here on the statements were made under these settings: key, value, key … */
    protected void configure(String[] settings) throws Exception {}

    /** What is parsed at the start, so that classes are loaded: it has to be accepted. */
    protected String first() {
        return "SELECT 1";
    }

    public void serve() throws Exception {
        in = new DataInputStream(new BufferedInputStream(System.in));
        out = new DataOutputStream(new BufferedOutputStream(System.out));
        Runtime.getRuntime().addShutdownHook(new Thread() {
            public void run() {
                String folder = System.getProperty("belvedere.folder");
                if (folder != null) remove(new File(folder));
            }
        });
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere); // Hive's parser prints a stack trace for each refusal
        parse(first());
        Thread thread = new Thread(null, this, "parser", STACK);
        thread.start();
        thread.join();
        System.exit(0);
    }

    /** The folder that was made for the process: its parent may have been killed. */
    private static void remove(File file) {
        File[] inside = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
        if (inside != null) for (File one : inside) remove(one);
        file.delete();
    }

    public void run() {
        try {
            out.writeByte(1);
            out.flush();
            while (true) batch();
        } catch (IOException end) {
            return; // the parent has closed the stream
        }
    }

    /** Takes the whole batch in before it answers, so that neither side waits for the other. */
    private void batch() throws IOException {
        String[][] settings = new String[in.readInt()][];
        for (int i = 0; i < settings.length; i++) {
            settings[i] = new String[in.readInt()];
            for (int j = 0; j < settings[i].length; j++) settings[i][j] = text();
        }
        boolean[] reads = new boolean[in.readInt()];
        String[][] under = new String[reads.length][];
        String[] statements = new String[reads.length];
        for (int i = 0; i < reads.length; i++) {
            reads[i] = in.readByte() == 1;
            under[i] = settings[in.readInt()];
            statements[i] = text();
        }
        String[] current = null;
        for (int i = 0; i < reads.length; i++) {
            answer(statements[i], reads[i], under[i] == current ? null : under[i]);
            current = under[i];
            out.flush(); // so the parent knows which statement it waits for
        }
    }

    private String text() throws IOException {
        byte[] text = new byte[in.readInt()];
        in.readFully(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private void answer(String sql, boolean reads, String[] settings) throws IOException {
        Names names = names();
        Throwable refusal = null;
        try {
            if (settings != null) configure(settings);
            Object tree = parse(sql);
            if (reads) read(tree, names);
        } catch (Throwable error) {
            refusal = error;
        }
        if (refusal == null) write(ACCEPTED, null, "", names);
        else if (machine(refusal) != null) write(GAVE_UP, null, machine(refusal), names());
        else if (!refuses(refusal)) write(GAVE_UP, null, shortened(refusal), names);
        else write(REFUSED, position(refusal), shortened(refusal), names);
    }

    /** An exhausted stack or memory, a missing class: says nothing of the statement. */
    private static String machine(Throwable error) {
        for (Throwable one = error; one != null; one = one.getCause()) {
            if (one instanceof VirtualMachineError || one instanceof LinkageError) {
                return one.toString();
            }
        }
        return null;
    }

    /** What the engine says when it refuses. */
    protected String message(Throwable refusal) {
        return refusal.getMessage();
    }

    private String shortened(Throwable refusal) {
        String message = message(refusal);
        if (message == null) return refusal.getClass().getName();
        return message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message;
    }

    private void write(int verdict, int[] place, String message, Names names)
            throws IOException {
        out.writeByte(verdict);
        out.writeInt(place == null ? 0 : place[0]);
        out.writeInt(place == null ? 0 : place[1]);
        write(message);
        names.write(this);
    }

    void write(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    void write(int number) throws IOException {
        out.writeInt(number);
    }
}
