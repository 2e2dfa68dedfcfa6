// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import static dev.mooring.apiserver.table.Cells.list;
import static dev.mooring.apiserver.table.Cells.text;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;

/** The columns of nodes. */
final class Nodes {
    private static final String ROLE = "node-role.kubernetes.io/";

    private Nodes() {}

    static List<Column> columns() {
        return List.of(
                new Column("Name", "string", false, (node, now) -> text(node, "metadata", "name")),
                new Column("Status", "string", false, (node, now) -> status(node)),
                new Column("Roles", "string", false, (node, now) -> roles(node)),
                new Column(
                        "Age", "string", false, (node, now) -> Cells.age(node, now, "metadata", "creationTimestamp")),
                new Column(
                        "Version", "string", false, (node, now) -> text(node, "status", "nodeInfo", "kubeletVersion")),
                new Column("Internal-IP", "string", true, (node, now) -> address(node, "InternalIP")),
                new Column("External-IP", "string", true, (node, now) -> address(node, "ExternalIP")),
                new Column("OS-Image", "string", true, (node, now) -> orUnknown(node, "osImage")),
                new Column("Kernel-Version", "string", true, (node, now) -> orUnknown(node, "kernelVersion")),
                new Column(
                        "Container-Runtime",
                        "string",
                        true,
                        (node, now) -> orUnknown(node, "containerRuntimeVersion")));
    }

    private static String status(Document node) {
        List<String> words = new ArrayList<>();
        for (Object condition : list(node, "status", "conditions")) {
            if (Cells.member(condition, "type").equals("Ready")) {
                words.add(Cells.member(condition, "status").equals("True") ? "Ready" : "NotReady");
            }
        }
        if (words.isEmpty()) {
            words.add("Unknown");
        }
        if (Cells.truth(node, "spec", "unschedulable")) {
            words.add("SchedulingDisabled");
        }
        return String.join(",", words);
    }

    private static String roles(Document node) {
        List<String> roles = new ArrayList<>();
        node.object("metadata", "labels").orElse(Document.empty()).asMap().forEach((key, value) -> {
            if (key.startsWith(ROLE) && key.length() > ROLE.length()) {
                roles.add(key.substring(ROLE.length()));
            } else if (key.equals("kubernetes.io/role") && value instanceof String role && !role.isEmpty()) {
                roles.add(role);
            }
        });
        return roles.isEmpty()
                ? "<none>"
                : String.join(",", roles.stream().sorted().toList());
    }

    private static String address(Document node, String type) {
        for (Object address : list(node, "status", "addresses")) {
            if (Cells.member(address, "type").equals(type)) {
                return Cells.member(address, "address");
            }
        }
        return "<none>";
    }

    private static String orUnknown(Document node, String field) {
        String value = text(node, "status", "nodeInfo", field);
        return value.isEmpty() ? "<unknown>" : value;
    }
}
