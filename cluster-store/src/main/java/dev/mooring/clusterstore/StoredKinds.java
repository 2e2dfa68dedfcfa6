// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.MetadataObject;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Kinds of Kubernetes of which only the metadata is read: they are here for programs that make such objects beside claims and pods, such as
 * operators. Namespaces are emptied of them, and owners take them with them. No controller of Mooring acts on the others than StatefulSets.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoredKinds {
    private static final String APPS = "apps";
    private static final String BATCH = "batch";
    private static final String NETWORKING = "networking.k8s.io";
    private static final String RBAC = "rbac.authorization.k8s.io";

    /** Sets of pods that keep their names and claims; {@link dev.mooring.clusterstore.statefulset.StatefulSets} acts on them. */
    public static final Kind<MetadataObject> STATEFUL_SET = inNamespace(APPS, "StatefulSet", "statefulsets", true);

    /** The templates that a StatefulSet has had. */
    public static final Kind<MetadataObject> CONTROLLER_REVISION =
            inNamespace(APPS, "ControllerRevision", "controllerrevisions", false);

    /** How many pods of an application may be away at once. */
    public static final Kind<MetadataObject> POD_DISRUPTION_BUDGET =
            inNamespace("policy", "PodDisruptionBudget", "poddisruptionbudgets", true);

    /** Pods of a template that are replaced step by step. */
    public static final Kind<MetadataObject> DEPLOYMENT = inNamespace(APPS, "Deployment", "deployments", true);

    /** So many pods of a template. */
    public static final Kind<MetadataObject> REPLICA_SET = inNamespace(APPS, "ReplicaSet", "replicasets", true);

    /** A pod of a template on each node. */
    public static final Kind<MetadataObject> DAEMON_SET = inNamespace(APPS, "DaemonSet", "daemonsets", true);

    private static final List<Kind<?>> ALL = List.of(
            inNamespace("", "Service", "services", true),
            inNamespace("", "Endpoints", "endpoints", false),
            inNamespace("", "ReplicationController", "replicationcontrollers", true),
            inNamespace("", "LimitRange", "limitranges", false),
            inNamespace("", "ResourceQuota", "resourcequotas", true),
            inNamespace("", "PodTemplate", "podtemplates", false),
            DEPLOYMENT,
            REPLICA_SET,
            STATEFUL_SET,
            DAEMON_SET,
            CONTROLLER_REVISION,
            inNamespace(BATCH, "Job", "jobs", true),
            inNamespace(BATCH, "CronJob", "cronjobs", true),
            inNamespace(NETWORKING, "Ingress", "ingresses", true),
            ofCluster(NETWORKING, "IngressClass", "ingressclasses"),
            inNamespace(NETWORKING, "NetworkPolicy", "networkpolicies", false),
            POD_DISRUPTION_BUDGET,
            inNamespace(RBAC, "Role", "roles", false),
            inNamespace(RBAC, "RoleBinding", "rolebindings", false),
            ofCluster(RBAC, "ClusterRole", "clusterroles"),
            ofCluster(RBAC, "ClusterRoleBinding", "clusterrolebindings"));

    private static final Kinds WITH_STANDARD = Kinds.standard().and(ALL).with(CustomResourceDefinition.KIND);

    private StoredKinds() {}

    private static Kind<MetadataObject> inNamespace(String group, String name, String plural, boolean hasStatus) {
        return new Kind<>(group, "v1", name, plural, true, hasStatus, MetadataObject.class);
    }

    private static Kind<MetadataObject> ofCluster(String group, String name, String plural) {
        return new Kind<>(group, "v1", name, plural, false, false, MetadataObject.class);
    }

    /** These kinds, in a fixed order. */
    public static List<Kind<?>> all() {
        return ALL;
    }

    /** The kinds that persistent storage needs, these, and the definitions of custom resources. */
    public static Kinds withStandard() {
        return WITH_STANDARD;
    }

    /** Whether a kind is stored and nothing more: no controller of Mooring acts on its objects. */
    public static boolean isOnlyStored(Kind<?> kind) {
        return kind != STATEFUL_SET && kind != CONTROLLER_REVISION && ALL.contains(kind);
    }
}
