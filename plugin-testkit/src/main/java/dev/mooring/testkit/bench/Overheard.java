// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * What is printed or logged while a plugin works, at every level and by whatever thread: to the console, to {@code java.util.logging}, and
 * so to {@link System.Logger} where nothing else serves it. Loggers that write neither there are not heard. Thread-safe.
 */
final class Overheard extends Handler {
    private static final Logger ROOT = Logger.getLogger("");
    private static final List<Overheard> LISTENING = new CopyOnWriteArrayList<>();
    /** That of the tests themselves. */
    private static final String OURS = "org.junit";

    private static Installed installed = Installed.NOTHING;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<String> logged = new ArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();

    private Overheard() {
        setLevel(Level.ALL);
    }

    /** Where the console was before. */
    private record Installed(PrintStream out, PrintStream err, PrintStream teeOut, PrintStream teeErr, Level level) {
        private static final Installed NOTHING =
                new Installed(System.out, System.err, System.out, System.err, Level.INFO);

        static Installed now() {
            Installed made = new Installed(System.out, System.err, tee(System.out), tee(System.err), ROOT.getLevel());
            System.setOut(made.teeOut);
            System.setErr(made.teeErr);
            ROOT.setLevel(Level.ALL);
            return made;
        }

        /** Leaves alone what another thread has changed meanwhile. */
        void undo() {
            if (System.out.equals(teeOut)) {
                System.setOut(out);
            }
            if (System.err.equals(teeErr)) {
                System.setErr(err);
            }
            ROOT.setLevel(level);
        }

        private static PrintStream tee(PrintStream real) {
            return new PrintStream(new Tee(real), true, StandardCharsets.UTF_8);
        }
    }

    private static final class Tee extends OutputStream {
        private final PrintStream real;

        Tee(PrintStream real) {
            this.real = real;
        }

        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] octets, int from, int count) {
            real.write(octets, from, count);
            LISTENING.forEach(each -> each.printed.write(octets, from, count));
        }

        @Override
        public void flush() {
            real.flush();
        }
    }

    /** Begins to listen. */
    static Overheard begin() {
        synchronized (LISTENING) {
            if (LISTENING.isEmpty()) {
                installed = Installed.now();
            }
            Overheard listener = new Overheard();
            LISTENING.add(listener);
            ROOT.addHandler(listener);
            return listener;
        }
    }

    /** What was heard so far. */
    synchronized List<String> texts() {
        List<String> all = new ArrayList<>(logged);
        all.add(printed.toString(StandardCharsets.UTF_8));
        return all;
    }

    @Override
    public void publish(LogRecord record) {
        String name = String.valueOf(record.getLoggerName());
        if (name.startsWith(OURS)) {
            return;
        }
        StringWriter text = new StringWriter();
        text.append(name).append(": ").append(formatter.formatMessage(record));
        if (record.getThrown() != null) {
            record.getThrown().printStackTrace(new PrintWriter(text, true));
        }
        synchronized (this) {
            logged.add(text.toString());
        }
    }

    @Override
    public void flush() {}

    /** Listens no more. */
    @Override
    public void close() {
        synchronized (LISTENING) {
            ROOT.removeHandler(this);
            if (LISTENING.remove(this) && LISTENING.isEmpty()) {
                installed.undo();
            }
        }
    }
}
