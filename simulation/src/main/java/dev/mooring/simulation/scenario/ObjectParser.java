// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModelException;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;

/** Reads objects and their names. */
final class ObjectParser {
    private static final String DEFAULT_NAMESPACE = "default";
    private static final String NAMESPACE = "namespace";
    private static final int RULE_LIMIT = 800;

    private final Kinds kinds;

    ObjectParser(Kinds kinds) {
        this.kinds = kinds;
    }

    /** The kind under the key {@code kind}. */
    Kind<?> kind(ScenarioValue node) {
        ScenarioValue word = node.get("kind");
        return kinds.byKindName(word.text())
                .orElseThrow(() -> word.wrong("unknown kind '" + ScenarioValue.shortened(word.text()) + "'"));
    }

    /** The object named by kind, namespace and name. */
    ObjectRef ref(ScenarioValue node) {
        Kind<?> kind = kind(node);
        return new ObjectRef(kind, key(kind, node));
    }

    private static ObjectKey key(Kind<?> kind, ScenarioValue node) {
        String name = node.get("name").text();
        if (!kind.namespaced()) {
            // As the output shows it for objects without one.
            node.find(NAMESPACE)
                    .filter(namespace -> !namespace.value().equals(""))
                    .ifPresent(namespace -> {
                        throw namespace.wrong(kind + " has no namespace");
                    });
            return ObjectKey.cluster(name);
        }
        return ObjectKey.of(node.find(NAMESPACE).map(ScenarioValue::text).orElse(DEFAULT_NAMESPACE), name);
    }

    /** A list of whole objects. */
    List<Manifest> manifests(ScenarioValue list) {
        return list.list().stream().map(this::manifest).toList();
    }

    /** A whole object; each value is of the type of its field. */
    Manifest manifest(ScenarioValue node) {
        Kind<?> kind = kind(node);
        ScenarioValue version = node.get("apiVersion");
        if (!kind.apiVersion().equals(version.text())) {
            throw version.wrong("must be " + kind.apiVersion() + " for " + kind + ", not '"
                    + ScenarioValue.shortened(version.text()) + "'");
        }
        ObjectKey key = key(kind, node.get("metadata"));
        Document document = node.document();
        if (kind.namespaced()) {
            document = document.with(key.namespace(), "metadata", NAMESPACE);
        }
        Decoded decoded = Schema.standard().decode(kind, document);
        decoded.wrong().first().ifPresent(wrong -> {
            throw new MalformedScenario(
                    node.place().at(wrong.field()),
                    ScenarioValue.shortened(decoded.wrong().rules(), RULE_LIMIT));
        });
        try {
            kind.read(decoded.object());
        } catch (ModelException e) {
            throw malformed(node.place(), e);
        }
        return new Manifest(node.place(), new ObjectRef(kind, key), document);
    }

    private static MalformedScenario malformed(ScenarioPlace place, ModelException problem) {
        ScenarioPlace field = problem.field().isEmpty() ? place : place.at(problem.field());
        String text = String.valueOf(problem.getMessage());
        String prefix = problem.field() + ": ";
        String rule = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
        return new MalformedScenario(field, ScenarioValue.shortened(rule, RULE_LIMIT));
    }
}
