// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.csi;

import static dev.mooring.distribution.csi.ManifestParts.all;
import static dev.mooring.distribution.csi.ManifestParts.clusterRole;
import static dev.mooring.distribution.csi.ManifestParts.map;
import static dev.mooring.distribution.csi.ManifestParts.object;
import static dev.mooring.distribution.csi.ManifestParts.onlyIf;
import static dev.mooring.distribution.csi.ManifestParts.role;
import static dev.mooring.distribution.csi.ManifestParts.rule;
import static dev.mooring.distribution.csi.ManifestParts.serviceAccount;
import static dev.mooring.distribution.csi.ManifestParts.with;

import dev.mooring.runtime.plugin.SidecarLeaseNames;
import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The objects of Kubernetes that deploy a plugin as a CSI driver beside Mooring's side-car, or Kubernetes' own. Pure. */
public final class DriverManifests {
    /** What exists without being applied, and takes privileged pods. */
    private static final Set<String> GIVEN_NAMESPACES = Set.of("kube-system", "default");

    private static final String STORAGE = "storage.k8s.io";
    private static final String SNAPSHOTS = "snapshot.storage.k8s.io";
    private static final String LOOK = "get list watch";

    private final DriverDeployment deployment;

    private DriverManifests(DriverDeployment deployment) {
        this.deployment = deployment;
    }

    /** The objects, in an order in which they can be applied. */
    public static List<Document> of(DriverDeployment deployment) {
        DriverManifests manifests = new DriverManifests(deployment);
        DriverPods pods = new DriverPods(deployment);
        List<Map<String, Object>> objects = all(
                manifests.namespace(),
                List.of(manifests.driver()),
                manifests.rights(),
                onlyIf(deployment.hasController(), List.of(pods.controller())),
                List.of(pods.node()),
                onlyIf(deployment.abilities().makes(), List.of(manifests.storageClass())),
                onlyIf(deployment.snapshots(), List.of(manifests.snapshotClass())));
        return objects.stream().map(Document::of).toList();
    }

    private List<Map<String, Object>> namespace() {
        return GIVEN_NAMESPACES.contains(deployment.namespace())
                ? List.of()
                : List.of(object(
                        "v1",
                        "Namespace",
                        map(
                                "name",
                                deployment.namespace(),
                                "labels",
                                map("pod-security.kubernetes.io/enforce", "privileged"))));
    }

    private Map<String, Object> driver() {
        var abilities = deployment.abilities();
        return with(
                object(STORAGE + "/v1", "CSIDriver", map("name", deployment.driver())),
                "spec",
                map(
                        "attachRequired",
                        abilities.attaches(),
                        "podInfoOnMount",
                        true,
                        "fsGroupPolicy",
                        abilities.managesOwnership() ? "File" : "None",
                        "storageCapacity",
                        abilities.measuresCapacity(),
                        "volumeLifecycleModes",
                        abilities.makesInline() ? List.of("Persistent", "Ephemeral") : List.of("Persistent")));
    }

    private Map<String, Object> storageClass() {
        Map<String, Object> of = object(STORAGE + "/v1", "StorageClass", map("name", deployment.shortName()));
        of.put("provisioner", deployment.driver());
        if (!deployment.classParameters().isEmpty()) {
            of.put("parameters", deployment.classParameters());
        }
        of.put("reclaimPolicy", "Delete");
        of.put("volumeBindingMode", deployment.abilities().boundToNode() ? "WaitForFirstConsumer" : "Immediate");
        of.put("allowVolumeExpansion", deployment.abilities().expands());
        return of;
    }

    private Map<String, Object> snapshotClass() {
        Map<String, Object> of = object(SNAPSHOTS + "/v1", "VolumeSnapshotClass", map("name", deployment.shortName()));
        of.put("driver", deployment.driver());
        of.put("deletionPolicy", "Delete");
        return of;
    }

    // ---- rights ----

    private List<Map<String, Object>> rights() {
        String node = deployment.named("node");
        String controller = deployment.named("controller");
        return all(
                List.of(serviceAccount(node, deployment.namespace())),
                onlyIf(
                        deployment.makesOnNodes(),
                        all(
                                clusterRole(
                                        node,
                                        node,
                                        deployment.namespace(),
                                        deployment.hasOwnSidecar() ? ownProvisionerRules() : provisionerRules()),
                                role(node, node, deployment.namespace(), ownRules()))),
                onlyIf(
                        deployment.hasController(),
                        all(
                                List.of(serviceAccount(controller, deployment.namespace())),
                                clusterRole(controller, controller, deployment.namespace(), controllerRules()),
                                role(controller, controller, deployment.namespace(), ownRules()))));
    }

    private List<Map<String, Object>> controllerRules() {
        var abilities = deployment.abilities();
        if (deployment.hasOwnSidecar()) {
            return merged(all(
                    onlyIf(abilities.makes(), ownProvisionerRules()),
                    onlyIf(abilities.attaches(), attacherRules()),
                    List.of(
                            // Volumes that it does not attach are shown as attached.
                            rule("", "persistentvolumes persistentvolumeclaims nodes", LOOK),
                            rule("", "events", "get create patch"),
                            rule(STORAGE, "storageclasses csinodes volumeattachments volumeattributesclasses", LOOK),
                            rule(STORAGE, "volumeattachments/status", "patch"),
                            rule("", "secrets", "get")),
                    onlyIf(
                            abilities.expands() || abilities.modifies(),
                            List.of(
                                    rule("", "persistentvolumes persistentvolumeclaims", "patch"),
                                    rule("", "persistentvolumeclaims/status", "patch"))),
                    onlyIf(deployment.snapshots(), snapshotRules())));
        }
        return merged(all(
                onlyIf(abilities.makes(), provisionerRules()),
                onlyIf(abilities.attaches(), attacherRules()),
                onlyIf(abilities.expands(), resizerRules()),
                onlyIf(abilities.modifies(), List.of(rule(STORAGE, "volumeattributesclasses", LOOK)))));
    }

    /** One rule for each resource, since several side-cars have rights of it. */
    private static List<Map<String, Object>> merged(List<Map<String, Object>> rules) {
        Map<List<Object>, Set<Object>> verbs = new LinkedHashMap<>();
        for (Map<String, Object> each : rules) {
            for (Object resource : (List<?>) each.getOrDefault("resources", List.of())) {
                verbs.computeIfAbsent(
                                List.of(each.getOrDefault("apiGroups", List.of()), resource),
                                key -> new LinkedHashSet<>())
                        .addAll((List<?>) each.getOrDefault("verbs", List.of()));
            }
        }
        return verbs.entrySet().stream()
                .map(each -> map(
                        "apiGroups",
                        each.getKey().get(0),
                        "resources",
                        List.of(each.getKey().get(1)),
                        "verbs",
                        List.copyOf(each.getValue())))
                .toList();
    }

    private List<Map<String, Object>> provisionerRules() {
        return List.of(
                rule("", "persistentvolumes", LOOK + " create patch delete"),
                rule("", "persistentvolumeclaims", LOOK + " update"),
                rule("", "events", "list watch create update patch"),
                rule("", "nodes", LOOK),
                // Those that a class names.
                rule("", "secrets", "get"),
                rule(STORAGE, "storageclasses csinodes volumeattachments", LOOK));
    }

    private List<Map<String, Object>> ownProvisionerRules() {
        return all(
                onlyIf(
                        deployment.abilities().measuresCapacity(),
                        List.of(rule(STORAGE, "csistoragecapacities", LOOK))), // watched in all namespaces
                ownProvisionerRulesOfVolumes());
    }

    private static List<Map<String, Object>> ownProvisionerRulesOfVolumes() {
        return List.of(
                rule("", "persistentvolumes", LOOK + " create patch delete"),
                rule("", "persistentvolumeclaims", LOOK + " patch"),
                rule("", "events", "get create patch"),
                rule("", "nodes", LOOK),
                // Those that a class names.
                rule("", "secrets", "get"),
                rule(STORAGE, "storageclasses csidrivers csinodes volumeattachments volumeattributesclasses", LOOK));
    }

    private static List<Map<String, Object>> attacherRules() {
        return List.of(
                rule("", "persistentvolumes", LOOK + " patch"),
                rule("", "secrets", "get"),
                rule(STORAGE, "csinodes", LOOK),
                rule(STORAGE, "volumeattachments", LOOK + " patch"),
                rule(STORAGE, "volumeattachments/status", "patch"));
    }

    private static List<Map<String, Object>> snapshotRules() {
        return List.of(
                rule(SNAPSHOTS, "volumesnapshotclasses", LOOK),
                rule(SNAPSHOTS, "volumesnapshots", LOOK + " patch"),
                rule(SNAPSHOTS, "volumesnapshotcontents", LOOK + " create patch delete"),
                rule(SNAPSHOTS, "volumesnapshots/status volumesnapshotcontents/status", "patch"),
                // As soon as the cluster has their definitions, and whether a snapshot-controller leads.
                rule("apiextensions.k8s.io", "customresourcedefinitions", "watch"),
                rule("coordination.k8s.io", "leases", "list"));
    }

    private static List<Map<String, Object>> resizerRules() {
        return List.of(
                rule("", "persistentvolumes", LOOK + " patch"),
                rule("", "persistentvolumeclaims pods", LOOK),
                rule("", "persistentvolumeclaims/status", "patch"),
                rule("", "events", "list watch create update patch"),
                rule("", "secrets", "get"));
    }

    /** Leases of the side-cars, and the capacity that they tell with the pod's owner as its own. */
    private List<Map<String, Object>> ownRules() {
        if (deployment.hasOwnSidecar()) {
            return all(
                    leaseRules(),
                    onlyIf(
                            deployment.abilities().measuresCapacity(),
                            List.of(rule(STORAGE, "csistoragecapacities", "create patch delete"))));
        }
        return all(
                List.of(rule("coordination.k8s.io", "leases", LOOK + " create update patch delete")),
                onlyIf(
                        deployment.abilities().measuresCapacity(),
                        List.of(
                                rule(STORAGE, "csistoragecapacities", LOOK + " create update patch delete"),
                                rule("", "pods", "get"),
                                rule("apps", "daemonsets replicasets", "get"))));
    }

    /** A process of a node takes no Leases. */
    private List<Map<String, Object>> leaseRules() {
        Map<String, Object> named = rule("coordination.k8s.io", "leases", "get patch");
        SidecarLeaseNames leases = new SidecarLeaseNames(deployment.driver());
        named.put("resourceNames", deployment.snapshots() ? leases.all() : leases.ofVolumes());
        return deployment.hasController() ? List.of(rule("coordination.k8s.io", "leases", "create"), named) : List.of();
    }
}
