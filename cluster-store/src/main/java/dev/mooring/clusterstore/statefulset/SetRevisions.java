// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The templates that a set has had, each in a ControllerRevision of its own. The data of one is a patch that brings the template back, as
 * {@code kubectl rollout undo} needs it. Pure.
 *
 * @param set the set
 * @param sorted its revisions, oldest number first
 */
record SetRevisions(SetSpec set, List<Document> sorted) {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final String HASH = "controller.kubernetes.io/hash";
    private static final String PATCH = "$patch";
    private static final String REVISION = "revision";
    private static final int LONGEST_NAME = 223;

    static SetRevisions of(SetSpec set, List<Document> revisions) {
        List<Document> sorted = new ArrayList<>(revisions);
        sorted.sort(Comparator.comparing(SetRevisions::number)
                .thenComparing(revision -> Fields.text(revision, "metadata", "creationTimestamp"))
                .thenComparing(Fields::name));
        return new SetRevisions(set, List.copyOf(sorted));
    }

    private static long number(Document revision) {
        return Fields.integer(revision, REVISION).orElse(0L);
    }

    private long next() {
        return sorted.isEmpty() ? 1 : number(sorted.get(sorted.size() - 1)) + 1;
    }

    private Document data() {
        return Document.of(Map.of(
                "spec", Map.of("template", set.template().with("replace", PATCH).asMap())));
    }

    /** The newest revision that has the set's template. */
    private Optional<Document> equal() {
        Document data = data();
        return sorted.stream()
                .filter(revision -> Fields.object(revision, "data").equals(data))
                .reduce((older, newer) -> newer);
    }

    /** What makes the set's template the newest revision; empty if it is. */
    Optional<SetAct> act() {
        Optional<Document> equal = equal();
        if (equal.isEmpty()) {
            return Optional.of(new SetAct.MakeRevision(made()));
        }
        boolean newest = Fields.name(equal.get()).equals(Fields.name(update()));
        return newest
                ? Optional.empty()
                : Optional.of(new SetAct.Replace(
                        StoredKinds.CONTROLLER_REVISION, equal.get().with(next(), REVISION)));
    }

    /** A new revision with the set's template. */
    Document made() {
        Document data = data();
        String hash = hash(data, set.collisionCount());
        Map<String, Object> labels = new LinkedHashMap<>(Fields.textMap(set.template(), "metadata", "labels"));
        labels.put(HASH, hash);
        Document revision = Document.empty()
                .with(prefix(set.name()) + "-" + hash, "metadata", "name")
                .with(set.namespace(), "metadata", "namespace")
                .with(labels, "metadata", "labels")
                .with(data.asMap(), "data")
                .with(next(), REVISION);
        Map<String, String> annotations = Fields.textMap(set.set(), "metadata", "annotations");
        Document annotated = annotations.isEmpty() ? revision : revision.with(annotations, "metadata", "annotations");
        return OwnerReferences.withController(annotated, StoredKinds.STATEFUL_SET, set.set());
    }

    /** What comes before the hash in the name of each of a set's revisions. */
    static String prefix(String set) {
        return set.length() > LONGEST_NAME ? set.substring(0, LONGEST_NAME) : set;
    }

    private static String hash(Document data, long collisions) {
        String number = Integer.toUnsignedString(31 * hashOf(data.asMap()) + Long.hashCode(collisions));
        StringBuilder safe = new StringBuilder();
        number.chars().forEach(digit -> safe.append(ALPHABET.charAt(digit % ALPHABET.length())));
        return safe.toString();
    }

    /** The same in every process, whatever the order of keys. */
    private static int hashOf(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .mapToInt(entry -> 31 * entry.getKey().hashCode() ^ hashOf(entry.getValue()))
                    .sum();
        } else if (value instanceof List<?> list) {
            int hash = 1;
            for (Object each : list) {
                hash = 31 * hash + hashOf(each);
            }
            return hash;
        }
        return value == JsonNull.NULL ? 0 : value.hashCode();
    }

    /** The revision of the set's template, once {@link #act} has nothing to do. */
    Document update() {
        return sorted.get(sorted.size() - 1);
    }

    /** The revision that pods were all of when the last update was through. */
    Document current() {
        return sorted.stream()
                .filter(revision -> Fields.name(revision).equals(set.currentRevision()))
                .findFirst()
                .orElse(update());
    }

    /** The template of a revision. */
    static Document template(Document revision) {
        return Fields.object(revision, "data", "spec", "template").without(PATCH);
    }

    /** The revisions that are more than the set keeps, of those that no pod has. */
    List<SetAct> forgotten(List<Document> pods) {
        Set<String> live = new HashSet<>(List.of(Fields.name(current()), Fields.name(update())));
        pods.forEach(pod -> live.add(new MemberState(pod).revision()));
        List<Document> history = sorted.stream()
                .filter(revision -> !live.contains(Fields.name(revision)))
                .toList();
        long surplus = Math.max(0, history.size() - Math.max(0, set.historyLimit()));
        return history.stream()
                .limit(surplus)
                .map(SetAct.ForgetRevision::new)
                .map(SetAct.class::cast)
                .toList();
    }
}
