// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.AddressText;
import dev.mooring.plugin.support.SourceChecks;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules for the fields of a source, and its normal form (semantics/plugins §2.1). Pure. */
final class NfsSources {
    private static final Pattern HOST = Pattern.compile("[a-z0-9]([-a-z0-9_.]{0,251}[a-z0-9])?");
    /** The mount tool reads a comma as the end of a server's name, other tools as the end of an option. */
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cntrl},]");

    private static final int MOST_PATH_BYTES = 1024;

    private NfsSources() {}

    /** What is wrong with a source; empty if nothing is. */
    static List<FieldProblem> problems(VolumeSource source) {
        return NfsSource.of(source)
                .map(fields -> problems("spec.nfs.server", fields.server(), "spec.nfs.path", fields.path()))
                .orElseGet(() -> List.of(new FieldProblem("spec.nfs", "is required")));
    }

    /** What is wrong with a server and a path. */
    static List<FieldProblem> problems(String serverField, String server, String pathField, String path) {
        List<FieldProblem> problems = new ArrayList<>();
        if (server.isEmpty()) {
            problems.add(new FieldProblem(serverField, "is required"));
        } else if (serverOf(server).isEmpty()) {
            problems.add(new FieldProblem(serverField, "must be a host name or an IP address"));
        }
        pathRule(path).ifPresent(rule -> problems.add(new FieldProblem(pathField, rule)));
        return problems;
    }

    private static Optional<String> pathRule(String path) {
        Optional<String> rule = SourceChecks.pathRule(path, false);
        if (rule.isPresent()) {
            return rule;
        }
        if (UNSAFE.matcher(path).find()) {
            return Optional.of("must not contain control characters or commas");
        }
        return path.getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES
                ? Optional.of("must have at most " + MOST_PATH_BYTES + " bytes")
                : Optional.empty();
    }

    /** The normal form of a server; empty for an invalid name. Names are not looked up. */
    static Optional<String> serverOf(String text) {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        String bare = bracketed ? text.substring(1, text.length() - 1) : text;
        if (bracketed || bare.indexOf(':') >= 0) {
            return AddressText.ipv6(bare);
        }
        String name = (bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare).toLowerCase(Locale.ROOT);
        return HOST.matcher(name).matches() ? Optional.of(name) : Optional.empty();
    }

    private static String pathOf(String text) {
        return Arrays.stream(text.split("/"))
                .filter(element -> !element.isEmpty() && !element.equals("."))
                .collect(Collectors.joining("/", "/", ""));
    }

    /** The export of a server and path in which there is no fault; else refused with all faults. */
    static Outcome<Export> export(String serverField, String server, String pathField, String path) {
        return SourceChecks.checked(problems(serverField, server, pathField, path))
                .map(nothing -> new Export(serverOf(server).orElseThrow(), pathOf(path)));
    }

    /** The export of a source in which there is no fault; else refused with all faults. */
    static Outcome<Export> export(VolumeSource source) {
        return NfsSource.of(source)
                .map(fields -> export("spec.nfs.server", fields.server(), "spec.nfs.path", fields.path()))
                .orElseGet(() -> Outcome.refused(Refusal.INVALID, "the source is no nfs but " + source.type()));
    }

    /** The export that the mount table, or a volume's identity, names; empty if the text does not name one. */
    static Optional<Export> parse(String source) {
        int colon = source.startsWith("[") ? source.indexOf("]:") + 1 : source.indexOf(':');
        return colon <= 0
                ? Optional.empty()
                : export("server", source.substring(0, colon), "path", source.substring(colon + 1))
                        .result();
    }
}
