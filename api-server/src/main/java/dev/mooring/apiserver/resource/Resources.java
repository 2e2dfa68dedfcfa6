// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.resource;

import dev.mooring.apiserver.event.EventView;
import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All resources of a store. Immutable. */
public final class Resources {
    /** What people may type, by the name in paths. */
    private static final Map<String, List<String>> SHORT_NAMES = Map.ofEntries(
            Map.entry("persistentvolumes", List.of("pv")),
            Map.entry("persistentvolumeclaims", List.of("pvc")),
            Map.entry("storageclasses", List.of("sc")),
            Map.entry("volumeattributesclasses", List.of("vac")),
            Map.entry("nodes", List.of("no")),
            Map.entry("pods", List.of("po")),
            Map.entry("namespaces", List.of("ns")),
            Map.entry("configmaps", List.of("cm")),
            Map.entry("serviceaccounts", List.of("sa")),
            Map.entry("events", List.of("ev")),
            Map.entry("services", List.of("svc")),
            Map.entry("endpoints", List.of("ep")),
            Map.entry("replicationcontrollers", List.of("rc")),
            Map.entry("limitranges", List.of("limits")),
            Map.entry("resourcequotas", List.of("quota")),
            Map.entry("deployments", List.of("deploy")),
            Map.entry("replicasets", List.of("rs")),
            Map.entry("statefulsets", List.of("sts")),
            Map.entry("daemonsets", List.of("ds")),
            Map.entry("cronjobs", List.of("cj")),
            Map.entry("ingresses", List.of("ing")),
            Map.entry("networkpolicies", List.of("netpol")),
            Map.entry("poddisruptionbudgets", List.of("pdb")),
            Map.entry("customresourcedefinitions", List.of("crd", "crds")));

    /** What {@code kubectl get all} shows. */
    private static final Set<String> CATEGORY_ALL = Set.of(
            "pods",
            "services",
            "replicationcontrollers",
            "deployments",
            "replicasets",
            "statefulsets",
            "daemonsets",
            "jobs",
            "cronjobs");

    private final List<Resource> all;

    private Resources(List<Resource> all) {
        this.all = all;
    }

    /** The resources of kinds that are always there. */
    public static Resources of(Kinds kinds) {
        return of(kinds, CustomResources.NONE);
    }

    /**
     * The resources of some kinds; behind them are the other view of Events and older versions, and at the end are those that users have defined.
     *
     * @param kinds those that are always there, and perhaps others
     * @param defined what users have defined
     */
    public static Resources of(Kinds kinds, CustomResources defined) {
        List<Resource> all = new ArrayList<>();
        kinds.all().stream().filter(kind -> !defined.holds(kind)).forEach(kind -> all.add(resource(kind)));
        if (kinds.all().contains(Kinds.EVENT)) {
            all.add(resource(EventView.KIND));
        }
        OlderVersions.of(kinds.all()).forEach(kind -> all.add(resource(kind)));
        defined.served()
                .forEach(each -> all.add(new Resource(
                        each.kind(),
                        each.definition().names().shortNames(),
                        each.definition().names().categories(),
                        Optional.of(each))));
        return new Resources(List.copyOf(all));
    }

    private static Resource resource(Kind<?> kind) {
        List<String> categories = CATEGORY_ALL.contains(kind.plural()) ? List.of("all") : List.of();
        return new Resource(kind, SHORT_NAMES.getOrDefault(kind.plural(), List.of()), categories, Optional.empty());
    }

    /** All of them in the order of the kinds. */
    public List<Resource> all() {
        return all;
    }

    /** Those of one group and version. */
    public List<Resource> of(String group, String version) {
        return all.stream()
                .filter(each -> each.kind().group().equals(group)
                        && each.kind().version().equals(version))
                .toList();
    }

    /** The resource of a path. */
    public Optional<Resource> find(String group, String version, String plural) {
        return of(group, version).stream()
                .filter(each -> each.kind().plural().equals(plural))
                .findFirst();
    }

    /** The versions of a group, the preferred one first: stable before beta before alpha, and higher before lower. */
    public List<String> versions(String group) {
        return all.stream()
                .filter(each -> each.kind().group().equals(group))
                .map(each -> each.kind().version())
                .distinct()
                .sorted(VersionOrder.PREFERRED_FIRST)
                .toList();
    }

    /** The named groups, without the core group. */
    public Set<String> groups() {
        Set<String> groups = new LinkedHashSet<>();
        all.stream()
                .map(each -> each.kind().group())
                .filter(each -> !each.isEmpty())
                .forEach(groups::add);
        return groups;
    }
}
