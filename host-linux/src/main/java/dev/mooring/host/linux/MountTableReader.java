// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.storage.spi.Outcome;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the kernel's mount table as text, whole and consistent. Thread-safe. */
final class MountTableReader {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final int ATTEMPTS = 10;

    /** Reads the file once. */
    @FunctionalInterface
    interface File {
        byte[] read() throws IOException;
    }

    private final File file;
    private final boolean twice;

    /**
     * @param twice whether one reading may miss entries while the table changes, so that two have to agree
     */
    MountTableReader(File file, boolean twice) {
        this.file = file;
        this.twice = twice;
    }

    /** Whether a kernel of this release may miss entries: before Linux 5.8 (semantics/plugins §1.2). */
    static boolean mayMiss(String release) {
        Matcher matcher = RELEASE.matcher(release);
        if (!matcher.matches()) {
            return true;
        }
        int major = Integer.parseInt(matcher.group(1));
        int minor = Integer.parseInt(matcher.group(2));
        return major < 5 || (major == 5 && minor < 8);
    }

    Outcome<String> read() {
        try {
            String last = once();
            for (int attempt = 1; twice && attempt < ATTEMPTS; attempt++) {
                String next = once();
                if (next.equals(last)) {
                    return Outcome.done(next);
                }
                last = next;
            }
            return twice
                    ? Outcome.uncertain("the mount table changed at each of " + ATTEMPTS + " looks")
                    : Outcome.done(last);
        } catch (IOException e) {
            return Outcome.uncertain("the mount table cannot be read: " + e.getMessage());
        }
    }

    private String once() throws IOException {
        return new String(file.read(), Kernel.PATHS);
    }
}
