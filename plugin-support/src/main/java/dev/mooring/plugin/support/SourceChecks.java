// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Rules for the fields of a volume's source, and messages about them. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SourceChecks {
    private SourceChecks() {}

    /**
     * What is wrong with a path that a source names; empty if nothing is. An element {@code ..} is always wrong.
     *
     * @param path as written
     * @param mayBeRelative whether a path without a slash at the beginning is good
     */
    public static Optional<String> pathRule(String path, boolean mayBeRelative) {
        if (path.isEmpty()) {
            return Optional.of("is required");
        }
        if (Arrays.asList(path.split("/")).contains("..")) {
            return Optional.of("must not contain '..'");
        }
        try {
            return Path.of(path).isAbsolute() || mayBeRelative
                    ? Optional.empty()
                    : Optional.of("must be an absolute path");
        } catch (InvalidPathException e) {
            return Optional.of("cannot be the path of a file");
        }
    }

    /**
     * A source's path without doubled slashes, single dots and a slash at the end; a relative one is taken for one below {@code /}.
     *
     * @param path one in which {@link #pathRule} finds no fault
     */
    public static Path normalised(String path) {
        return Path.of("/").resolve(path).normalize();
    }

    /** INVALID with all problems, separated by semicolons; done if there are none. */
    public static Outcome<Nothing> checked(List<FieldProblem> problems) {
        return problems.isEmpty()
                ? Outcome.done()
                : Outcome.refused(
                        Refusal.INVALID,
                        problems.stream().map(FieldProblem::toString).collect(Collectors.joining("; ")));
    }

    /**
     * The same outcome. A denial says which field of which object it is about.
     *
     * @param volume the volume
     * @param field such as {@code hostPath.path}
     */
    public static <T> Outcome<T> nameInDenial(VolumeSpec volume, String field, Outcome<T> outcome) {
        return outcome.isRefused(Refusal.DENIED)
                ? Outcome.refused(Refusal.DENIED, name(volume, field) + ": " + outcome.message())
                : outcome;
    }

    private static String name(VolumeSpec volume, String field) {
        return volume.uid().isEmpty()
                ? field + " of the pod's volume " + volume.name()
                : "spec." + field + " of PersistentVolume " + volume.name();
    }
}
