// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rules about where a volume's data lie. */
final class SourceRules {
    /** Sources that Kubernetes knows, of volumes and of pods. */
    private static final Set<String> KNOWN = Set.of(
            "awsElasticBlockStore",
            "azureDisk",
            "azureFile",
            "cephfs",
            "cinder",
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "fc",
            "flexVolume",
            "flocker",
            "gcePersistentDisk",
            "gitRepo",
            "glusterfs",
            "hostPath",
            "image",
            "iscsi",
            "local",
            "nfs",
            "persistentVolumeClaim",
            "photonPersistentDisk",
            "portworxVolume",
            "projected",
            "quobyte",
            "rbd",
            "scaleIO",
            "secret",
            "storageos",
            "vsphereVolume");

    private static final List<String> HOST_PATH_TYPES = List.of(
            "", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice");

    private static final Set<String> TEMPLATE_METADATA = Set.of("labels", "annotations");

    private SourceRules() {}

    /**
     * The source fields of a spec. A key that Kubernetes does not know counts as a source only if no other does: so a volume may have
     * the source of a plugin of its own, and a known source may stand beside objects that the model does not know.
     *
     * @param others keys with objects that are no sources
     */
    static Document of(Document spec, Set<String> others) {
        Map<String, Object> known = new LinkedHashMap<>();
        Optional<String> unknown = Optional.empty();
        for (Map.Entry<String, Object> entry : spec.asMap().entrySet()) {
            if (entry.getValue() == JsonNull.NULL) {
                continue;
            }
            if (KNOWN.contains(entry.getKey())) {
                known.put(entry.getKey(), entry.getValue());
            } else if (unknown.isEmpty() && entry.getValue() instanceof Map && !others.contains(entry.getKey())) {
                unknown = Optional.of(entry.getKey());
            }
        }
        if (known.isEmpty()) {
            unknown.ifPresent(key -> known.put(key, spec.at(key).orElseThrow()));
        }
        return Document.of(known).withoutNulls();
    }

    /** Exactly one source, and that one sound. */
    static void check(String path, Document sources, Problems problems) {
        if (sources.isEmpty()) {
            problems.required(path, "must specify a volume type");
            return;
        }
        List<String> types = new ArrayList<>(sources.asMap().keySet());
        for (String type : types.subList(1, types.size())) {
            problems.forbidden(path + "." + type, "may not specify more than 1 volume type");
        }
        String type = types.get(0);
        one(path + "." + type, type, Fields.object(sources, type), problems);
    }

    private static void one(String path, String type, Document source, Problems problems) {
        switch (type) {
            case "hostPath" -> {
                required(path, source, problems, "path");
                noUpwards(path + ".path", Fields.text(source, "path"), problems);
                String pathType = Fields.text(source, "type");
                problems.oneOf(path + ".type", pathType, HOST_PATH_TYPES);
            }
            case "nfs" -> {
                required(path, source, problems, "server", "path");
                String exported = Fields.text(source, "path");
                if (!exported.isEmpty() && !exported.startsWith("/")) {
                    problems.invalid(path + ".path", exported, "must be an absolute path");
                }
            }
            case "local" -> {
                required(path, source, problems, "path");
                noUpwards(path + ".path", Fields.text(source, "path"), problems);
            }
            case "iscsi" -> IscsiRules.check(path, source, problems);
            case "configMap", "secret", "downwardAPI", "projected" -> ContentRules.check(path, type, source, problems);
            case "csi" -> csi(path, source, problems);
            case "persistentVolumeClaim" -> required(path, source, problems, "claimName");
            case "ephemeral" -> template(path + ".volumeClaimTemplate", source, problems);
            case "emptyDir" ->
                QuantityRules.at(source, "sizeLimit")
                        .filter(limit -> limit.signum() < 0)
                        .ifPresent(limit -> problems.forbidden(
                                path + ".sizeLimit", "SizeLimit field must be a valid resource quantity"));
            default -> {
                // Other sources are their plugin's to judge.
            }
        }
    }

    private static void template(String path, Document source, Problems problems) {
        if (!Fields.isSet(source, "volumeClaimTemplate")) {
            problems.required(path, "");
            return;
        }
        Document metadata = Fields.object(source, "volumeClaimTemplate", "metadata");
        for (String field : metadata.asMap().keySet()) {
            if (!TEMPLATE_METADATA.contains(field) && Fields.isSet(metadata, field)) {
                problems.forbidden(path + ".metadata." + field, "cannot be set for an ephemeral volume");
            }
        }
        ClaimRules.spec(path + ".spec", Fields.object(source, "volumeClaimTemplate", "spec"), problems);
    }

    private static void csi(String path, Document source, Problems problems) {
        driverName(path + ".driver", Fields.text(source, "driver"), problems);
    }

    /** The name of a CSI driver. */
    static void driverName(String path, String name, Problems problems) {
        problems.given(path, name);
        if (name.length() > Syntax.LABEL_LENGTH) {
            problems.tooLong(path, "may not be more than " + Syntax.LABEL_LENGTH + " bytes");
        }
        if (!name.isEmpty()) {
            problems.syntax(path, name, Syntax.subdomain(name.toLowerCase(Locale.ROOT)));
        }
    }

    private static void required(String path, Document source, Problems problems, String... fields) {
        for (String field : fields) {
            problems.given(path + "." + field, Fields.text(source, field));
        }
    }

    /** A path that does not lead out of the volume. */
    static void descending(String path, String value, Problems problems) {
        if (value.startsWith("/")) {
            problems.invalid(path, value, "must be a relative path");
        }
        noUpwards(path, value, problems);
    }

    /** No element of a path leads upwards. */
    static void noUpwards(String path, String value, Problems problems) {
        if (leadsUpwards(value)) {
            problems.invalid(path, value, "must not contain '..'");
        }
    }

    static boolean leadsUpwards(String value) {
        return Arrays.asList(value.split("/", -1)).contains("..");
    }
}
