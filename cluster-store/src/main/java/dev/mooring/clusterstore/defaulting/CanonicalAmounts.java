// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Quantity;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The amounts of an object in Kubernetes' canonical form, in which the API server keeps them: {@code 1.5Gi} is read back as {@code
 * 1536Mi}. What is no amount stays, for the validation to tell.
 */
final class CanonicalAmounts {
    private static final String[] CONTAINERS = {"spec", "containers"};
    private static final String[] INIT_CONTAINERS = {"spec", "initContainers"};
    private static final String[] POD_VOLUMES = {"spec", "volumes"};
    private static final String RESOURCES = "resources";
    private static final String[] REQUESTS = {RESOURCES, "requests"};
    private static final String[] LIMITS = {RESOURCES, "limits"};

    private CanonicalAmounts() {}

    static Document canonical(Kind<?> kind, Document object) {
        if (kind == Kinds.PERSISTENT_VOLUME) {
            return map(object, "spec", "capacity");
        } else if (kind == Kinds.PERSISTENT_VOLUME_CLAIM) {
            return map(map(resources(object, "spec"), "status", "capacity"), "status", "allocatedResources");
        } else if (kind == Kinds.NODE) {
            return map(map(object, "status", "capacity"), "status", "allocatable");
        } else if (kind == Kinds.CSI_STORAGE_CAPACITY) {
            return amount(amount(object, "capacity"), "maximumVolumeSize");
        } else if (kind == Kinds.POD) {
            return volumes(containers(containers(object, CONTAINERS), INIT_CONTAINERS));
        }
        return object;
    }

    private static Document resources(Document object, String... parent) {
        return Fields.isSet(object, join(parent, RESOURCES))
                ? map(map(object, join(parent, REQUESTS)), join(parent, LIMITS))
                : object;
    }

    private static Document containers(Document pod, String... path) {
        return DocumentLists.each(pod, CanonicalAmounts::resources, path);
    }

    private static Document volumes(Document pod) {
        return DocumentLists.each(
                pod,
                volume ->
                        resources(amount(volume, "emptyDir", "sizeLimit"), "ephemeral", "volumeClaimTemplate", "spec"),
                POD_VOLUMES);
    }

    private static Document map(Document object, String... path) {
        Map<String, Object> before = Fields.object(object, path).asMap();
        if (before.isEmpty()
                || before.values().stream().allMatch(value -> canonical(value).equals(value))) {
            return object;
        }
        Map<String, Object> after = new LinkedHashMap<>(before);
        after.replaceAll((name, value) -> canonical(value));
        return object.with(after, path);
    }

    private static Document amount(Document object, String... path) {
        return object.at(path)
                .map(before -> object.with(canonical(before), path))
                .orElse(object);
    }

    private static Object canonical(Object value) {
        return value instanceof String || value instanceof Number
                ? Quantity.tryParse(value.toString())
                        .<Object>map(Quantity::toString)
                        .orElse(value)
                : value;
    }

    private static String[] join(String[] parent, String... rest) {
        String[] path = Arrays.copyOf(parent, parent.length + rest.length);
        System.arraycopy(rest, 0, path, parent.length, rest.length);
        return path;
    }
}
