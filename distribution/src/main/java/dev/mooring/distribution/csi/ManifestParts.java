// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.csi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parts of objects of Kubernetes, as maps in the order in which people read them. Pure. */
final class ManifestParts {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private ManifestParts() {}

    /** Names and values by turns; the order stays. */
    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }

    static Map<String, Object> object(String version, String kind, Map<String, Object> metadata) {
        return map("apiVersion", version, "kind", kind, "metadata", metadata);
    }

    static Map<String, Object> with(Map<String, Object> object, String name, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(object);
        all.put(name, value);
        return all;
    }

    static Map<String, Object> serviceAccount(String name, String namespace) {
        return object("v1", "ServiceAccount", map("name", name, "namespace", namespace));
    }

    /** A rule of a role. */
    static Map<String, Object> rule(String group, String resources, String verbs) {
        return map(
                "apiGroups",
                List.of(group),
                "resources",
                List.of(resources.split(" ", -1)),
                "verbs",
                List.of(verbs.split(" ", -1)));
    }

    /** What a service account may do in the whole cluster. */
    static List<Map<String, Object>> clusterRole(
            String name, String account, String namespace, List<Map<String, Object>> rules) {
        return List.of(
                with(object(RBAC + "/v1", "ClusterRole", map("name", name)), "rules", rules),
                bound("ClusterRole", map("name", name), name, account, namespace));
    }

    /** What a service account may do in its namespace. */
    static List<Map<String, Object>> role(
            String name, String account, String namespace, List<Map<String, Object>> rules) {
        Map<String, Object> metadata = map("name", name, "namespace", namespace);
        return List.of(
                with(object(RBAC + "/v1", "Role", metadata), "rules", rules),
                bound("Role", metadata, name, account, namespace));
    }

    private static Map<String, Object> bound(
            String kind, Map<String, Object> metadata, String role, String account, String namespace) {
        Map<String, Object> binding = object(RBAC + "/v1", kind + "Binding", metadata);
        binding.put("roleRef", map("apiGroup", RBAC, "kind", kind, "name", role));
        binding.put("subjects", List.of(map("kind", "ServiceAccount", "name", account, "namespace", namespace)));
        return binding;
    }

    /** A variable that holds a field of the pod. */
    static Map<String, Object> fieldOfPod(String name, String field) {
        return map("name", name, "valueFrom", map("fieldRef", map("fieldPath", field)));
    }

    static Map<String, Object> mount(String name, String path) {
        return map("name", name, "mountPath", path);
    }

    /** A directory of the machine that is shown in a container at the same path, and what is mounted in it there too. */
    static Map<String, Object> sharedMount(String name, String path) {
        return map("name", name, "mountPath", path, "mountPropagation", "Bidirectional");
    }

    static Map<String, Object> hostDirectory(String name, String path, String type) {
        return map("name", name, "hostPath", map("path", path, "type", type));
    }

    @SafeVarargs
    static <T> List<T> all(List<T>... lists) {
        List<T> all = new ArrayList<>();
        for (List<T> each : lists) {
            all.addAll(each);
        }
        return all;
    }

    static <T> List<T> onlyIf(boolean condition, List<T> list) {
        return condition ? list : List.of();
    }
}
