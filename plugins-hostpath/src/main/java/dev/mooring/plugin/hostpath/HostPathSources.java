// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.SourceChecks;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Rules for the fields of a source; a relative path is a fault unless it is to be taken for one below {@code /}. Pure. */
final class HostPathSources {
    private HostPathSources() {}

    /** What is wrong with a source; empty if nothing is. */
    static List<FieldProblem> problems(VolumeSource source, boolean relativeBelowRoot) {
        HostPathSource fields = HostPathSource.of(source).orElseGet(() -> new HostPathSource("", ""));
        List<FieldProblem> problems = new ArrayList<>();
        SourceChecks.pathRule(fields.path(), relativeBelowRoot)
                .ifPresent(rule -> problems.add(new FieldProblem("spec.hostPath.path", rule)));
        if (PathType.of(fields.type()).isEmpty()) {
            String known = Arrays.stream(PathType.values())
                    .map(type -> "\"" + type.text() + "\"")
                    .collect(Collectors.joining(", "));
            problems.add(new FieldProblem("spec.hostPath.type", "must be one of " + known));
        }
        return problems;
    }

    /** The fields of a source in which there is no fault; else refused with all faults. */
    static Outcome<HostPathSource> checked(VolumeSource source, boolean relativeBelowRoot) {
        return SourceChecks.checked(problems(source, relativeBelowRoot))
                .then(nothing -> HostPathSource.of(source)
                        .map(Outcome::done)
                        .orElseGet(() ->
                                Outcome.refused(Refusal.INVALID, "the source is no hostPath but " + source.type())));
    }
}
