// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** The kernel's own files below {@code /sys}, {@code /proc} and {@code /dev}: what it knows of devices and sessions. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Sysfs {
    /**
     * The names in a directory, sorted.
     *
     * @param directory an absolute path below {@code /sys}, {@code /proc} or {@code /dev}
     * @return the names; none if there is no such directory
     */
    Outcome<List<String>> list(Path directory);

    /**
     * Reads a small file, without the white space at its end.
     *
     * @return its text; empty if there is no such file or it has gone
     */
    Outcome<Optional<String>> read(Path file);

    /**
     * Where something really is, all links followed.
     *
     * @return the path; empty if it is not there
     */
    Outcome<Optional<Path>> resolve(Path path);

    /**
     * Writes to a file of the kernel, in a way that can be given up: such a write may wait for a device that does not answer.
     *
     * @return NOT_FOUND if there is no such file, uncertain if the kernel did not answer in time
     */
    Outcome<Nothing> write(OperationContext context, Path file, String text);
}
