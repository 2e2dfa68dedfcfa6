// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which process it is: its number alone is given away again, together with the time of its start it is not, within one boot.
 *
 * @param pid its number
 * @param started when it was started, in the kernel's ticks since the boot
 */
public record ProcessIdentity(long pid, long started) {
    private static final Path PROC = Path.of("/proc");
    private static final int START_FIELD = 19;

    /** Of a process that lives; a zombie has nothing left that it could change. */
    public static Optional<ProcessIdentity> of(long pid) {
        try {
            String text = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // the name of the program, in parentheses, may contain anything
            List<String> fields = Arrays.asList(
                    text.substring(text.lastIndexOf(')') + 1).strip().split(" "));
            return fields.get(0).equals("Z") || fields.get(0).equals("X")
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields.get(START_FIELD))));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException gone) {
            return Optional.empty();
        }
    }

    public boolean isAlive() {
        return of(pid).equals(Optional.of(this));
    }

    /** A process that was started with exactly these words, by setsid or by itself. */
    static Optional<ProcessIdentity> withArguments(List<String> words) {
        byte[] wanted = (String.join("\0", words) + "\0").getBytes(StandardCharsets.UTF_8);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                if (hasArguments(process, wanted)) {
                    return of(Long.parseLong(String.valueOf(process.getFileName())));
                }
            }
        } catch (IOException | DirectoryIteratorException notReadable) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean hasArguments(Path process, byte[] wanted) {
        try {
            byte[] words = Files.readAllBytes(process.resolve("cmdline"));
            int before = words.length - wanted.length;
            return before >= 0
                    && Arrays.equals(words, before, words.length, wanted, 0, wanted.length)
                    // setsid has not made way for the tool yet
                    && new String(words, 0, before, StandardCharsets.ISO_8859_1).matches("([^\0]*setsid\0)?");
        } catch (IOException ended) {
            return false;
        }
    }

    /** What tells one boot of the machine from another. */
    public static String boot() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException notReadable) {
            return "";
        }
    }
}
