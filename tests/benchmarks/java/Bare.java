import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A judge in a bare loop: its class is the argument; then come what it is told once, if anything, the
 * texts, and a byte for each round.
 */
public class Bare {
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        Child judge = (Child) Class.forName(arguments[0]).getConstructor().newInstance();
        String[] told = texts(in);
        if (told.length > 0) judge.configure(told);
        String[] texts = texts(in);
        while (in.read() >= 0) {
            int accepted = 0;
            for (int i = 0; i < texts.length; i++) {
                try {
                    judge.parse(texts[i]);
                    accepted++;
                } catch (Throwable refusal) {
                    continue;
                }
            }
            out.writeInt(accepted);
            out.flush();
        }
    }

    private static String[] texts(DataInputStream in) throws Exception {
        String[] texts = new String[in.readInt()];
        for (int i = 0; i < texts.length; i++) {
            byte[] text = new byte[in.readInt()];
            in.readFully(text);
            texts[i] = new String(text, StandardCharsets.UTF_8);
        }
        return texts;
    }
}
