// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.SourceChecks;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Rules for the fields of a source. Pure. */
final class LocalSources {
    private static final String DEFAULT_TYPE = "ext4";
    private static final Pattern TYPE = Pattern.compile("[a-z0-9]{0,16}");

    private LocalSources() {}

    /** What is wrong with a source; empty if nothing is. */
    static List<FieldProblem> problems(VolumeSource source) {
        LocalSource fields = LocalSource.of(source).orElseGet(() -> new LocalSource("", ""));
        Optional<FieldProblem> path =
                SourceChecks.pathRule(fields.path(), false).map(rule -> new FieldProblem("spec.local.path", rule));
        Optional<FieldProblem> type = TYPE.matcher(fields.fsType()).matches()
                ? Optional.empty()
                : Optional.of(new FieldProblem("spec.local.fsType", "is no type of a file system"));
        return List.of(path, type).stream().flatMap(Optional::stream).toList();
    }

    /** The path of a volume in which there is no fault; else refused with the first one. */
    static Outcome<Path> path(VolumeSpec volume) {
        List<FieldProblem> problems = problems(volume.source());
        if (!problems.isEmpty()) {
            return Outcome.refused(Refusal.INVALID, problems.get(0).toString());
        }
        if (volume.uid().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "a local volume cannot be written in a pod");
        }
        return Outcome.done(path(volume.source()));
    }

    /** The path without doubled slashes, single dots and a slash at the end. */
    static Path path(VolumeSource source) {
        return SourceChecks.normalised(
                LocalSource.of(source).map(LocalSource::path).orElse(""));
    }

    /** The file system to make on a device. */
    static String fsType(VolumeSpec volume) {
        return LocalSource.of(volume.source())
                .map(LocalSource::fsType)
                .filter(type -> !type.isEmpty())
                .orElse(DEFAULT_TYPE);
    }
}
