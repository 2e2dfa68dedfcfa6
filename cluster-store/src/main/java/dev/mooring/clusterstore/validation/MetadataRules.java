// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.MetadataObject;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rules of every object's metadata. */
final class MetadataRules {
    private static final int ANNOTATIONS_LIMIT = 256 * 1024;
    private static final String ORPHAN = Propagation.ORPHAN.finalizer();
    private static final String FOREGROUND = Propagation.FOREGROUND.finalizer();
    private static final Set<String> STANDARD_FINALIZERS = Set.of("kubernetes", ORPHAN, FOREGROUND);
    private static final String[] SET_BY_SERVER = {
        "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"
    };

    private MetadataRules() {}

    static void state(Kind<?> kind, Document object, Problems problems) {
        name(kind, object, problems);
        namespace(kind, object, problems);
        labels(object, problems);
        annotations(object, problems);
        finalizers(kind, object, problems);
        owners(object, problems);
    }

    static void change(Document before, Document after, Problems problems) {
        for (String field : SET_BY_SERVER) {
            problems.immutable("metadata." + field, before.at("metadata", field), after.at("metadata", field));
        }
        if (Fields.isDeleting(before)) {
            List<String> added = new ArrayList<>(Fields.finalizers(after));
            added.removeAll(Fields.finalizers(before));
            if (!added.isEmpty()) {
                problems.forbidden(
                        "metadata.finalizers",
                        "no new finalizers can be added if the object is being deleted, found new finalizers []string{\""
                                + String.join("\", \"", added) + "\"}");
            }
        }
    }

    private static void name(Kind<?> kind, Document object, Problems problems) {
        String prefix = Fields.text(object, "metadata", "generateName");
        if (!prefix.isEmpty()) {
            problems.syntax("metadata.generateName", prefix, nameSyntax(kind, completed(prefix)));
        }
        String name = Fields.name(object);
        if (name.isEmpty()) {
            problems.required("metadata.name", "name or generateName is required");
        } else {
            problems.syntax("metadata.name", name, nameSyntax(kind, name));
        }
    }

    private static Optional<String> nameSyntax(Kind<?> kind, String name) {
        if (kind.group().equals("rbac.authorization.k8s.io")) {
            return Syntax.pathSegment(name);
        }
        return kind.name().equals("Namespace") ? Syntax.label(name) : Syntax.subdomain(name);
    }

    /** A prefix may end with a hyphen, since something follows. */
    private static String completed(String prefix) {
        return prefix.length() > 1 && prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 2) + "a" : prefix;
    }

    private static void namespace(Kind<?> kind, Document object, Problems problems) {
        String namespace = Fields.namespace(object);
        if (!kind.namespaced()) {
            if (!namespace.isEmpty()) {
                problems.forbidden("metadata.namespace", "not allowed on this type");
            }
        } else if (namespace.isEmpty()) {
            problems.required("metadata.namespace", "");
        } else {
            problems.syntax("metadata.namespace", namespace, Syntax.label(namespace));
        }
    }

    static void labelMap(String path, Map<String, String> labels, Problems problems) {
        labels.forEach((key, value) -> {
            problems.syntax(path, key, Syntax.qualifiedName(key));
            problems.syntax(path, value, Syntax.labelValue(value));
        });
    }

    private static void labels(Document object, Problems problems) {
        labelMap("metadata.labels", Fields.textMap(object, "metadata", "labels"), problems);
    }

    private static void annotations(Document object, Problems problems) {
        int size = 0;
        for (Map.Entry<String, String> entry :
                Fields.textMap(object, "metadata", "annotations").entrySet()) {
            String key = entry.getKey();
            problems.syntax("metadata.annotations", key, Syntax.qualifiedName(key.toLowerCase(Locale.ROOT)));
            size += key.getBytes(StandardCharsets.UTF_8).length
                    + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > ANNOTATIONS_LIMIT) {
            problems.tooLong("metadata.annotations", "may not be more than " + ANNOTATIONS_LIMIT + " bytes");
        }
    }

    private static void finalizers(Kind<?> kind, Document object, Problems problems) {
        List<String> finalizers = Fields.finalizers(object);
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.get(i);
            String path = "metadata.finalizers[" + i + "]";
            Optional<String> broken = Syntax.qualifiedName(finalizer);
            problems.syntax(path, finalizer, broken);
            if (broken.isEmpty()
                    && !isCustom(kind)
                    && finalizer.indexOf('/') < 0
                    && !STANDARD_FINALIZERS.contains(finalizer)) {
                problems.invalid(
                        path, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
        if (finalizers.contains(ORPHAN) && finalizers.contains(FOREGROUND)) {
            problems.invalid(
                    "metadata.finalizers",
                    finalizers,
                    "finalizer " + ORPHAN + " and " + FOREGROUND + " cannot be both set");
        }
    }

    /** Of definitions and of custom resources Kubernetes takes finalizers of any name. */
    private static boolean isCustom(Kind<?> kind) {
        boolean defined = kind.type() == MetadataObject.class
                && Schema.standard().type(kind).isEmpty();
        return defined || kind.group().equals("apiextensions.k8s.io");
    }

    private static void owners(Document object, Problems problems) {
        List<Document> owners = Fields.objects(object, "metadata", "ownerReferences");
        Set<String> controllers = new HashSet<>();
        for (Document owner : owners) {
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                if (Fields.text(owner, field).isEmpty()) {
                    String called = field.equals("apiVersion") ? "version" : field;
                    problems.invalid("metadata.ownerReferences." + field, "", called + " must not be empty");
                }
            }
            if (Fields.text(owner, "kind").equals("Event")
                    && Fields.text(owner, "apiVersion").equals("v1")) {
                problems.invalid(
                        "metadata.ownerReferences", owner.asMap(), "/v1, Kind=Event is disallowed from being an owner");
            }
            if (Fields.isTrue(owner, "controller") && !controllers.add("one") && controllers.add("reported")) {
                problems.invalid(
                        "metadata.ownerReferences",
                        owners.size() + " references",
                        "Only one reference can have Controller set to true");
            }
        }
    }
}
