// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import static dev.mooring.apiserver.table.Cells.age;
import static dev.mooring.apiserver.table.Cells.list;
import static dev.mooring.apiserver.table.Cells.modes;
import static dev.mooring.apiserver.table.Cells.text;

import dev.mooring.apiserver.event.EventView;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** How objects of each kind are shown as tables: as Kubernetes prints them (release 1.32). */
public final class Tables {
    private static final Map<Kind<?>, Table> KNOWN = known();
    private static final Table OTHER = new Table().plain("Name", Tables::name).withAge();

    private Tables() {}

    /** The table of a kind. */
    public static Table of(Kind<?> kind) {
        return KNOWN.getOrDefault(kind, OTHER);
    }

    private static Object name(Document object) {
        return text(object, "metadata", "name");
    }

    private static Function<Document, Object> at(String... path) {
        return object -> text(object, path);
    }

    /** A class that is not set shows as in Kubernetes. */
    private static Function<Document, Object> orUnset(String... path) {
        return object -> object.text(path).filter(each -> !each.isEmpty()).orElse("<unset>");
    }

    private static Map<Kind<?>, Table> known() {
        Map<Kind<?>, Table> known = new LinkedHashMap<>();
        putStorageKinds(known);
        putOtherKinds(known);
        known.put(StoredKinds.STATEFUL_SET, sets());
        known.put(StoredKinds.CONTROLLER_REVISION, revisions());
        known.put(Kinds.EVENT, events());
        known.put(EventView.KIND, events().reading(EventView::stored));
        return known;
    }

    private static void putStorageKinds(Map<Kind<?>, Table> known) {
        known.put(Kinds.PERSISTENT_VOLUME, volumes());
        known.put(Kinds.PERSISTENT_VOLUME_CLAIM, claims());
        known.put(Kinds.STORAGE_CLASS, classes());
        known.put(Kinds.VOLUME_ATTACHMENT, attachments());
        known.put(
                Kinds.VOLUME_ATTRIBUTES_CLASS,
                new Table()
                        .plain("Name", Tables::name)
                        .plain("DriverName", at("driverName"))
                        .withAge());
        known.put(Kinds.CSI_DRIVER, drivers());
        known.put(
                Kinds.CSI_NODE,
                new Table()
                        .plain("Name", Tables::name)
                        .add("Drivers", "integer", false, (object, now) ->
                                (long) list(object, "spec", "drivers").size())
                        .withAge());
        known.put(
                Kinds.CSI_STORAGE_CAPACITY,
                new Table()
                        .plain("Name", Tables::name)
                        .plain("StorageClassName", at("storageClassName"))
                        .plain("Capacity", at("capacity")));
    }

    private static void putOtherKinds(Map<Kind<?>, Table> known) {
        known.put(Kinds.POD, new Table(Pods.columns()));
        known.put(Kinds.NODE, new Table(Nodes.columns()));
        known.put(
                Kinds.NAMESPACE,
                new Table()
                        .plain("Name", Tables::name)
                        .plain("Status", at("status", "phase"))
                        .withAge());
        known.put(
                Kinds.SECRET,
                new Table()
                        .plain("Name", Tables::name)
                        .plain("Type", at("type"))
                        .add("Data", "string", false, (object, now) -> (long) Cells.size(object, "data"))
                        .withAge());
        known.put(
                Kinds.CONFIG_MAP,
                new Table()
                        .plain("Name", Tables::name)
                        .add(
                                "Data",
                                "string",
                                false,
                                (object, now) -> (long) Cells.size(object, "data") + Cells.size(object, "binaryData"))
                        .withAge());
        known.put(
                Kinds.SERVICE_ACCOUNT,
                new Table()
                        .plain("Name", Tables::name)
                        .add("Secrets", "string", false, (object, now) ->
                                (long) list(object, "secrets").size())
                        .withAge());
        known.put(
                Kinds.LEASE,
                new Table()
                        .plain("Name", Tables::name)
                        .plain("Holder", at("spec", "holderIdentity"))
                        .withAge());
    }

    private static Table volumes() {
        return new Table()
                .plain("Name", Tables::name)
                .plain("Capacity", at("spec", "capacity", "storage"))
                .plain("Access Modes", object -> modes(object, "spec", "accessModes"))
                .plain("Reclaim Policy", at("spec", "persistentVolumeReclaimPolicy"))
                .plain("Status", object -> Cells.phase(object))
                .plain("Claim", Tables::claimOf)
                .plain("StorageClass", at("spec", "storageClassName"))
                .plain("VolumeAttributesClass", orUnset("spec", "volumeAttributesClassName"))
                .plain("Reason", at("status", "reason"))
                .withAge()
                .broad("VolumeMode", orUnset("spec", "volumeMode"));
    }

    private static Object claimOf(Document volume) {
        return volume.object("spec", "claimRef")
                .map(claim -> text(claim, "namespace") + "/" + text(claim, "name"))
                .orElse("");
    }

    private static Table claims() {
        return new Table()
                .plain("Name", Tables::name)
                .plain("Status", object -> Cells.phase(object))
                .plain("Volume", at("spec", "volumeName"))
                .plain("Capacity", claim -> ifBound(claim, text(claim, "status", "capacity", "storage")))
                .plain("Access Modes", claim -> ifBound(claim, modes(claim, "status", "accessModes")))
                .plain("StorageClass", at("spec", "storageClassName"))
                .plain("VolumeAttributesClass", orUnset("spec", "volumeAttributesClassName"))
                .withAge()
                .broad("VolumeMode", orUnset("spec", "volumeMode"));
    }

    private static Object ifBound(Document claim, String value) {
        return text(claim, "spec", "volumeName").isEmpty() ? "" : value;
    }

    private static Table classes() {
        return new Table()
                .plain("Name", object -> Cells.isDefaultClass(object) ? name(object) + " (default)" : name(object))
                .plain("Provisioner", at("provisioner"))
                .plain("ReclaimPolicy", object -> object.text("reclaimPolicy").orElse("Delete"))
                .plain(
                        "VolumeBindingMode",
                        object -> object.text("volumeBindingMode").orElse("Immediate"))
                .add(
                        "AllowVolumeExpansion",
                        "string",
                        false,
                        (object, now) -> Cells.truth(object, "allowVolumeExpansion"))
                .withAge();
    }

    private static Table attachments() {
        return new Table()
                .plain("Name", Tables::name)
                .plain("Attacher", at("spec", "attacher"))
                .plain("PV", at("spec", "source", "persistentVolumeName"))
                .plain("Node", at("spec", "nodeName"))
                .add("Attached", "boolean", false, (object, now) -> Cells.truth(object, "status", "attached"))
                .withAge();
    }

    private static Table drivers() {
        return new Table()
                .plain("Name", Tables::name)
                .add(
                        "AttachRequired",
                        "boolean",
                        false,
                        (object, now) -> Cells.truth(object, true, "spec", "attachRequired"))
                .add("PodInfoOnMount", "boolean", false, (object, now) -> Cells.truth(object, "spec", "podInfoOnMount"))
                .add(
                        "StorageCapacity",
                        "boolean",
                        false,
                        (object, now) -> Cells.truth(object, "spec", "storageCapacity"))
                .plain("TokenRequests", object -> {
                    List<String> audiences = new ArrayList<>();
                    list(object, "spec", "tokenRequests")
                            .forEach(each -> audiences.add(Cells.member(each, "audience")));
                    return audiences.isEmpty() ? "<unset>" : String.join(",", audiences);
                })
                .add(
                        "RequiresRepublish",
                        "boolean",
                        false,
                        (object, now) -> Cells.truth(object, "spec", "requiresRepublish"))
                .plain("Modes", object -> {
                    List<String> modes = new ArrayList<>();
                    list(object, "spec", "volumeLifecycleModes").forEach(each -> modes.add(each.toString()));
                    return modes.isEmpty() ? "Persistent" : String.join(",", modes);
                })
                .withAge();
    }

    private static Table sets() {
        return new Table()
                .plain("Name", Tables::name)
                .plain("Ready", set -> number(set, "status", "readyReplicas") + "/" + number(set, "spec", "replicas"))
                .withAge()
                .broad("Containers", set -> ofContainers(set, "name"))
                .broad("Images", set -> ofContainers(set, "image"));
    }

    private static Object number(Document object, String... path) {
        return object.at(path).filter(Long.class::isInstance).orElse(0L);
    }

    private static Object ofContainers(Document set, String field) {
        List<String> all = new ArrayList<>();
        list(set, "spec", "template", "spec", "containers").forEach(each -> all.add(Cells.member(each, field)));
        return String.join(",", all);
    }

    private static Table revisions() {
        return new Table()
                .plain("Name", Tables::name)
                .plain("Controller", Tables::controllerOf)
                .add("Revision", "integer", false, (object, now) -> number(object, "revision"))
                .withAge();
    }

    private static Object controllerOf(Document object) {
        for (Document owner : object.objects("metadata", "ownerReferences")) {
            if (Cells.truth(owner, "controller")) {
                String group = text(owner, "apiVersion").replaceAll("/?[^/]*$", "");
                String kind = text(owner, "kind").toLowerCase(Locale.ROOT);
                return (group.isEmpty() ? kind : kind + "." + group) + "/" + text(owner, "name");
            }
        }
        return "<none>";
    }

    private static Table events() {
        return new Table()
                .add("Last Seen", "string", false, (event, now) -> age(event, now, Cells.lastSeen(event)))
                .plain("Type", at("type"))
                .plain("Reason", at("reason"))
                .plain("Object", Tables::objectOf)
                .broad("Subobject", at("involvedObject", "fieldPath"))
                .broad("Source", Tables::sourceOf)
                .plain("Message", event -> text(event, "message").strip())
                .add("First Seen", "string", true, (event, now) -> age(event, now, Cells.firstSeen(event)))
                .broad("Count", Tables::countOf)
                .broad("Name", Tables::name);
    }

    private static Object objectOf(Document event) {
        String kind = text(event, "involvedObject", "kind").toLowerCase(Locale.ROOT);
        String name = text(event, "involvedObject", "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    /** The source of an event, with its host if there is one. */
    private static Object sourceOf(Document event) {
        String component = firstOf(text(event, "source", "component"), text(event, "reportingComponent"));
        String instance = firstOf(text(event, "source", "host"), text(event, "reportingInstance"));
        return instance.isEmpty() ? component : component + ", " + instance;
    }

    private static String firstOf(String one, String other) {
        return one.isEmpty() ? other : one;
    }

    /** That of the series, if it is one. */
    private static Object countOf(Document event) {
        return event.object("series")
                .map(series -> series.at("count"))
                .orElseGet(() -> event.at("count").filter(count -> !count.equals(0L)))
                .map(Object::toString)
                .orElse("1");
    }
}
