// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.IscsiSourceBuilder;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules for the fields of a source (semantics/plugins §3.1). Pure. */
final class IscsiSources {
    static final String USUAL_INTERFACE = "default";

    private static final String USUAL_TYPE = "ext4";
    private static final String FIELD = "spec.iscsi.";
    private static final int LARGEST_LUN = 255;
    private static final int LONGEST_NAME = 223;
    private static final int LONGEST_INTERFACE_TEXT = 64;
    // What Kubernetes forbids after the colon, and what could leave the directory of a record or mean something to a
    // shell.
    private static final String UNSAFE = ",;*&$|\\s/\\\\'\"`<>(){}!?#%\\p{Cntrl}";
    private static final Pattern NAME = Pattern.compile(
            "iqn\\.\\d{4}-\\d{2}\\.[A-Za-z0-9.-]+:[^" + UNSAFE + "]+" + "|eui\\.[A-Za-z0-9]{16}|naa\\.[A-Za-z0-9]{32}");
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}");
    private static final Pattern TYPE = Pattern.compile("[a-z0-9]{1,16}");

    private IscsiSources() {}

    /** What is wrong with a source; empty if nothing is. */
    static List<FieldProblem> problems(VolumeSource source) {
        Problems problems = new Problems();
        IscsiSource fields = fields(source);
        problems.portal("targetPortal", fields.targetPortal());
        for (int i = 0; i < fields.portals().size(); i++) {
            problems.portal("portals[" + i + "]", fields.portals().get(i));
        }
        problems.name("iqn", fields.iqn());
        problems.lun(source);
        problems.fits("iscsiInterface", fields.iscsiInterface(), INTERFACE, "must be the name of an interface record");
        problems.fits("fsType", fields.fsType(), TYPE, "must be the name of a file system type");
        if (!fields.initiatorName().isEmpty()) {
            problems.name("initiatorName", fields.initiatorName());
        }
        problems.secret(source, fields.chapAuthDiscovery() || fields.chapAuthSession());
        return problems.found;
    }

    private static IscsiSource fields(VolumeSource source) {
        return IscsiSource.of(source)
                .orElseGet(() -> IscsiSourceBuilder.builder()
                        .targetPortal("")
                        .portals(List.of())
                        .iqn("")
                        .lun(0)
                        .fsType("")
                        .iscsiInterface("")
                        .initiatorName("")
                        .build());
    }

    private static final class Problems {
        private final List<FieldProblem> found = new ArrayList<>();

        private void add(String field, String rule) {
            found.add(new FieldProblem(FIELD + field, rule));
        }

        void portal(String field, String text) {
            if (text.isEmpty()) {
                add(field, "is required");
            } else if (Portal.parse(text).isEmpty()) {
                add(field, "must be a host name or an address, with or without a port");
            }
        }

        void name(String field, String text) {
            if (text.isEmpty()) {
                add(field, "is required");
            } else if (text.length() > LONGEST_NAME || !NAME.matcher(text).matches()) {
                add(field, "must be a name of iSCSI: iqn.YYYY-MM.domain:name, eui. with 16 or naa. with 32 characters");
            }
        }

        void lun(VolumeSource source) {
            Optional<Object> lun = source.attributes().at("lun");
            boolean good = lun.isEmpty() || (lun.get() instanceof Long number && number >= 0 && number <= LARGEST_LUN);
            if (!good) {
                add("lun", "must be a number from 0 to " + LARGEST_LUN);
            }
        }

        void fits(String field, String text, Pattern pattern, String rule) {
            if (!text.isEmpty() && !pattern.matcher(text).matches()) {
                add(field, rule);
            }
        }

        void secret(VolumeSource source, boolean needed) {
            boolean given = source.attributes().object("secretRef").isPresent();
            boolean named = source.attributes()
                    .text("secretRef", "name")
                    .filter(name -> !name.isEmpty())
                    .isPresent();
            if (needed && !given) {
                add("secretRef", "is required with chapAuthDiscovery or chapAuthSession");
            } else if (given && !named) {
                add("secretRef.name", "is required");
            }
        }
    }

    /** The fields of a volume in which there is no fault; else refused with all faults. */
    static Outcome<IscsiSource> checked(VolumeSpec volume) {
        List<FieldProblem> problems = new ArrayList<>(problems(volume.source()));
        IscsiSource fields = fields(volume.source());
        boolean ownInitiator = !fields.initiatorName().isEmpty();
        if (ownInitiator && (volume.name() + ":" + fields.targetPortal()).length() > LONGEST_INTERFACE_TEXT) {
            problems.add(new FieldProblem(
                    FIELD + "targetPortal",
                    "with the volume's name before it and a colon between must have at most " + LONGEST_INTERFACE_TEXT
                            + " characters, since there is an initiatorName"));
        }
        return problems.isEmpty()
                ? Outcome.done(fields)
                : Outcome.refused(
                        Refusal.INVALID,
                        problems.stream().map(FieldProblem::toString).collect(Collectors.joining("; ")));
    }

    /** Target and unit: what makes two volumes the same storage, whichever portals lead to it. */
    static String identity(VolumeSource source) {
        IscsiSource fields = fields(source);
        // names of iSCSI do not differ by case
        return fields.iqn().toLowerCase(Locale.ROOT) + "/" + fields.lun();
    }

    /** What kubelets and the controllers of Kubernetes call the volume. */
    static String reportedName(VolumeSource source) {
        IscsiSource fields = fields(source);
        return IscsiPlugin.NAME + "/" + fields.targetPortal() + ":" + fields.iqn() + ":" + fields.lun();
    }

    /** As kubelets name it: two elements, in which nothing of the source can be a separator. */
    static Path directory(VolumeSource source) {
        IscsiSource fields = fields(source);
        String portal =
                Portal.parse(fields.targetPortal()).map(Portal::toString).orElse("");
        return Path.of("iface-" + baseInterface(fields), portal + "-" + fields.iqn() + "-lun-" + fields.lun());
    }

    /** All portals as written, the first one first, each once. */
    static List<Portal> portals(IscsiSource source) {
        List<String> texts = new ArrayList<>(List.of(source.targetPortal()));
        texts.addAll(source.portals());
        return texts.stream()
                .flatMap(text -> Portal.parse(text).stream())
                .distinct()
                .toList();
    }

    static String fileSystem(IscsiSource source) {
        return source.fsType().isEmpty() ? USUAL_TYPE : source.fsType();
    }

    static String baseInterface(IscsiSource source) {
        return source.iscsiInterface().isEmpty() ? USUAL_INTERFACE : source.iscsiInterface();
    }

    /** Whether any number of nodes may have the volume, since none of them writes. */
    static boolean sharedReadOnly(VolumeSpec volume) {
        return !volume.accessModes().isEmpty()
                && volume.accessModes().stream().allMatch(mode -> mode == AccessMode.READ_ONLY_MANY);
    }
}
