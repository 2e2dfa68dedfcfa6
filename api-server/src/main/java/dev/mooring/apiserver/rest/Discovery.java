// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.resource.Subresource;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Representation;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells clients what there is. */
final class Discovery {
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList";

    private final Resources resources;

    Discovery(Resources resources) {
        this.resources = resources;
    }

    /** {@code /api}: the versions of the core group. */
    Answer core(ApiRequest request) {
        String aggregated = aggregatedVersion(request);
        if (!aggregated.isEmpty()) {
            return aggregated(aggregated, List.of(groupDiscovery("")));
        }
        return Answer.json(
                200,
                Document.of(ordered(
                        "kind", "APIVersions", "versions", List.of("v1"), "serverAddressByClientCIDRs", List.of())));
    }

    /** {@code /apis}: the named groups. */
    Answer groups(ApiRequest request) {
        String aggregated = aggregatedVersion(request);
        List<Object> groups = new ArrayList<>();
        for (String group : resources.groups()) {
            groups.add(aggregated.isEmpty() ? group(group) : groupDiscovery(group));
        }
        return aggregated.isEmpty()
                ? Answer.json(200, Document.of(ordered("kind", "APIGroupList", "apiVersion", "v1", "groups", groups)))
                : aggregated(aggregated, groups);
    }

    /** {@code /apis/GROUP}. */
    Answer group(List<String> path) {
        String group = path.get(1);
        if (!resources.groups().contains(group)) {
            throw RestFailure.notFound();
        }
        Map<String, Object> fields = ordered("kind", "APIGroup", "apiVersion", "v1");
        fields.putAll(group(group));
        return Answer.json(200, Document.of(fields));
    }

    /** {@code /api/v1} and {@code /apis/GROUP/VERSION}. */
    Answer resources(String group, String version) {
        List<Resource> all = resources.of(group, version);
        if (all.isEmpty()) {
            throw RestFailure.notFound();
        }
        List<Object> list = new ArrayList<>();
        for (Resource each : all) {
            Kind<?> kind = each.kind();
            Map<String, Object> entry = ordered(
                    "name", kind.plural(),
                    "singularName", each.singular(),
                    "namespaced", kind.namespaced(),
                    "kind", kind.name(),
                    "verbs", each.verbs());
            putNames(entry, each);
            list.add(entry);
            each.subresources().forEach(sub -> list.add(entry(each, sub)));
        }
        String groupVersion = group.isEmpty() ? version : group + "/" + version;
        return Answer.json(
                200,
                Document.of(ordered(
                        "kind",
                        "APIResourceList",
                        "apiVersion",
                        "v1",
                        "groupVersion",
                        groupVersion,
                        "resources",
                        list)));
    }

    /** What is sent there may be of another group than the object. */
    private static Map<String, Object> entry(Resource resource, Subresource sub) {
        Kind<?> kind = resource.kind();
        Map<String, Object> entry =
                ordered("name", kind.plural() + "/" + sub.name(), "singularName", "", "namespaced", kind.namespaced());
        if (!sub.group().equals(kind.group())) {
            entry.put("group", sub.group());
            entry.put("version", sub.version());
        }
        entry.put("kind", sub.kind());
        entry.put("verbs", sub.verbs());
        return entry;
    }

    private static void putNames(Map<String, Object> entry, Resource resource) {
        if (!resource.shortNames().isEmpty()) {
            entry.put("shortNames", resource.shortNames());
        }
        if (!resource.categories().isEmpty()) {
            entry.put("categories", resource.categories());
        }
    }

    private Map<String, Object> group(String group) {
        List<Map<String, Object>> versions = resources.versions(group).stream()
                .map(each -> ordered("groupVersion", group + "/" + each, "version", each))
                .toList();
        return ordered("name", group, "versions", versions, "preferredVersion", versions.get(0));
    }

    private Map<String, Object> groupDiscovery(String group) {
        Map<String, Object> metadata = group.isEmpty() ? ordered() : ordered("name", group);
        List<Map<String, Object>> versions = resources.versions(group).stream()
                .map(each -> versionDiscovery(group, each))
                .toList();
        return ordered("metadata", metadata, "versions", versions);
    }

    private Map<String, Object> versionDiscovery(String group, String version) {
        List<Object> list = new ArrayList<>();
        for (Resource each : resources.of(group, version)) {
            Kind<?> kind = each.kind();
            Map<String, Object> responseKind =
                    ordered("group", kind.group(), "version", kind.version(), "kind", kind.name());
            Map<String, Object> entry = ordered(
                    "resource",
                    kind.plural(),
                    "responseKind",
                    responseKind,
                    "scope",
                    kind.namespaced() ? "Namespaced" : "Cluster",
                    "singularResource",
                    each.singular(),
                    "verbs",
                    each.verbs());
            putNames(entry, each);
            List<Object> below = new ArrayList<>();
            for (Subresource sub : each.subresources()) {
                below.add(ordered(
                        "subresource",
                        sub.name(),
                        "responseKind",
                        ordered("group", sub.group(), "version", sub.version(), "kind", sub.kind()),
                        "verbs",
                        sub.verbs()));
            }
            if (!below.isEmpty()) {
                entry.put("subresources", below);
            }
            list.add(entry);
        }
        return ordered("version", version, "resources", list, "freshness", "Current");
    }

    private static Answer aggregated(String version, List<?> items) {
        return Answer.json(
                200,
                AGGREGATED.formatted(version),
                Document.of(ordered(
                        "kind",
                        "APIGroupDiscoveryList",
                        "apiVersion",
                        "apidiscovery.k8s.io/" + version,
                        "metadata",
                        Map.of(),
                        "items",
                        items)));
    }

    private static String aggregatedVersion(ApiRequest request) {
        for (Map<String, String> range : Representation.parse(request.accept())) {
            if ("APIGroupDiscoveryList".equals(range.get("as"))) {
                String version = range.getOrDefault("v", "");
                if (version.equals("v2") || version.equals("v2beta1")) {
                    return version;
                }
            } else if (Answer.JSON_TYPE.equals(range.get(""))) {
                return "";
            }
        }
        return "";
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
