// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A kernel's release, such as {@code 6.1.0-28-amd64}. Immutable.
 *
 * @param text as {@code uname -r} prints it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KernelRelease(String text) {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9}).*", Pattern.DOTALL);
    private static final Path FILE = Path.of("/proc/sys/kernel/osrelease");
    private static final int MAJOR = 5;
    private static final int MINOR = 12;

    /** That of the running kernel; empty on another system than Linux. */
    public static Optional<KernelRelease> running() {
        try {
            return Optional.of(new KernelRelease(Files.readString(FILE).strip()));
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }

    /**
     * Why a node cannot work on this kernel: it is older than Linux 5.12, which brought {@code mount_setattr}.
     *
     * @return a sentence with the release; empty if the kernel is new enough, or if the release has no number
     */
    public Optional<String> whyTooOld() {
        Matcher numbers = NUMBERS.matcher(text);
        if (!numbers.matches()) {
            return Optional.empty();
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        return major > MAJOR || (major == MAJOR && minor >= MINOR)
                ? Optional.empty()
                : Optional.of("this machine runs Linux " + text + ", and a node needs Linux " + MAJOR + "." + MINOR
                        + " or later: on an older kernel a volume cannot be made read-only before a pod sees it");
    }
}
