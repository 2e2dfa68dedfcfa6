// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.regex.Pattern;

/** The rules of iSCSI volumes (semantics/plugins §3.1). */
final class IscsiRules {
    private static final int LARGEST_LUN = 255;
    private static final int LONGEST_INTERFACE = 64;

    // As loosely as Kubernetes: what comes before a qualified name is not looked at, but for its first letters.
    private static final Pattern IQN = Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([A-Za-z0-9.-]+)(:[^,;*&$|\\s]+)$");
    private static final Pattern EUI = Pattern.compile("^eui.[A-Za-z0-9]{16}$");
    private static final Pattern NAA = Pattern.compile("^naa.[A-Za-z0-9]{32}$");

    private IscsiRules() {}

    static void check(String path, Document source, Problems problems) {
        problems.given(path + ".targetPortal", Fields.text(source, "targetPortal"));
        String iqn = Fields.text(source, "iqn");
        problems.given(path + ".iqn", iqn);
        name(path + ".iqn", iqn, problems);
        Fields.integer(source, "lun")
                .filter(lun -> lun < 0 || lun > LARGEST_LUN)
                .ifPresent(lun -> problems.invalid(path + ".lun", lun, "must be between 0 and 255, inclusive"));
        boolean authenticates = Fields.isTrue(source, "chapAuthDiscovery") || Fields.isTrue(source, "chapAuthSession");
        if (authenticates && !Fields.isSet(source, "secretRef")) {
            problems.required(path + ".secretRef", "");
        }
        name(path + ".initiatorName", Fields.text(source, "initiatorName"), problems);
    }

    private static void name(String path, String name, Problems problems) {
        if (!name.isEmpty() && !name.startsWith("iqn") && !name.startsWith("eui") && !name.startsWith("naa")) {
            problems.invalid(path, name, "must be valid format starting with iqn, eui, or naa");
            return;
        }
        boolean wrong = (name.startsWith("iqn") && !IQN.matcher(name).find())
                || (name.startsWith("eui") && !EUI.matcher(name).find())
                || (name.startsWith("naa") && !NAA.matcher(name).find());
        if (wrong) {
            problems.invalid(path, name, "must be valid format");
        }
    }

    /**
     * What a volume object may not say although a pod may.
     *
     * @param volume the name of the volume
     */
    static void checkOfVolume(String path, String volume, Document source, Problems problems) {
        if (Fields.isSet(source, "secretRef")) {
            problems.given(path + ".secretRef.name", Fields.text(source, "secretRef", "name"));
        }
        String portal = Fields.text(source, "targetPortal");
        if (Fields.isSet(source, "initiatorName") && (volume + ":" + portal).length() > LONGEST_INTERFACE) {
            problems.invalid(
                    path + ".targetPortal",
                    portal,
                    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                            + " iscsi.initiatorName is specified.");
        }
    }
}
