// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotRequest;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a class says that a secret is, with places for the names of claim and volume (semantics/csi §8.4). The namespace has fewer places
 * than the name: it may not depend on what the writer of a claim chooses, who could name another's secret then.
 *
 * @param name the name's template
 * @param namespace the namespace's template
 */
record SecretTemplate(String name, String namespace) {
    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)\\}|\\$([a-zA-Z_][a-zA-Z0-9_]*)");
    private static final Pattern ANNOTATION = Pattern.compile("pvc\\.annotations\\['([^']*)'\\]");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** The templates of all uses that a class has a secret for; INVALID if one has a name without a namespace, or two spellings. */
    static Outcome<Map<SecretUse, SecretTemplate>> all(Map<String, String> parameters) {
        Map<SecretUse, SecretTemplate> all = new EnumMap<>(SecretUse.class);
        Optional<String> name = Optional.ofNullable(parameters.get(SecretUse.defaultNameKey()));
        Optional<String> namespace = Optional.ofNullable(parameters.get(SecretUse.defaultNamespaceKey()));
        Outcome<Optional<SecretTemplate>> usual = both(name, namespace, SecretUse.defaultNameKey());
        if (!usual.isDone()) {
            return usual.map(none -> all);
        }
        for (SecretUse use : SecretUse.values()) {
            Outcome<Optional<SecretTemplate>> own = own(use, parameters);
            if (!own.isDone()) {
                return own.map(none -> all);
            }
            own.result()
                    .orElseThrow()
                    .or(() -> usual.result().orElseThrow())
                    .ifPresent(template -> all.put(use, template));
        }
        return Outcome.done(all);
    }

    private static Outcome<Optional<SecretTemplate>> own(SecretUse use, Map<String, String> parameters) {
        Optional<String> name = Optional.ofNullable(parameters.get(use.nameKey()));
        Optional<String> namespace = Optional.ofNullable(parameters.get(use.namespaceKey()));
        Optional<String> formerName = use.formerNameKey().map(parameters::get);
        Optional<String> formerNamespace = use.formerNamespaceKey().map(parameters::get);
        boolean former = formerName.isPresent() || formerNamespace.isPresent();
        if (former && (name.isPresent() || namespace.isPresent())) {
            return invalid("the class has the older and the newer parameters of one secret: " + use.nameKey());
        }
        return former ? both(formerName, formerNamespace, use.nameKey()) : both(name, namespace, use.nameKey());
    }

    static Outcome<Optional<SecretTemplate>> both(Optional<String> name, Optional<String> namespace, String key) {
        if (name.isEmpty() && namespace.isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        boolean whole = name.filter(text -> !text.isEmpty()).isPresent()
                && namespace.filter(text -> !text.isEmpty()).isPresent();
        return whole
                ? Outcome.done(Optional.of(new SecretTemplate(name.orElseThrow(), namespace.orElseThrow())))
                : invalid("a secret needs a name and a namespace, neither of them empty: see parameter " + key);
    }

    /** The secret of a claim; INVALID if the template has an unknown place, or the result is no name. */
    Outcome<ObjectKey> of(ProvisionRequest request) {
        return of(request.volumeName(), request.claim(), request.claimAnnotations());
    }

    /** The same for a volume and its claim, of which the annotations may not be known any more. */
    Outcome<ObjectKey> of(String volume, ObjectKey claim, Map<String, String> annotations) {
        return of(place -> namespacePlace(place, volume, claim), place -> namePlace(place, claim, annotations));
    }

    /** The secret of a snapshot, likewise. */
    Outcome<ObjectKey> of(SnapshotRequest request) {
        Map<String, String> places = Map.of(
                "volumesnapshotcontent.name", request.contentName(),
                "volumesnapshot.namespace", request.snapshot().namespace());
        return of(
                place -> Optional.ofNullable(places.get(place)),
                place -> place.equals("volumesnapshot.name")
                        ? Optional.of(request.snapshot().name())
                        : Optional.empty());
    }

    private Outcome<ObjectKey> of(
            Function<String, Optional<String>> namespacePlaces, Function<String, Optional<String>> namePlaces) {
        Outcome<String> inNamespace = filled(namespace, namespacePlaces).then(text -> named(text, LABEL));
        Outcome<String> named = filled(
                        name, place -> namespacePlaces.apply(place).or(() -> namePlaces.apply(place)))
                .then(text -> named(text, SUBDOMAIN));
        return inNamespace.then(there -> named.map(secret -> ObjectKey.of(there, secret)));
    }

    private static Optional<String> namespacePlace(String place, String volume, ObjectKey claim) {
        return switch (place) {
            case "pv.name" -> Optional.of(volume);
            case "pvc.namespace" -> Optional.of(claim.namespace());
            default -> Optional.empty();
        };
    }

    private static Optional<String> namePlace(String place, ObjectKey claim, Map<String, String> annotations) {
        if (place.equals("pvc.name")) {
            return Optional.of(claim.name());
        }
        Matcher annotation = ANNOTATION.matcher(place);
        return annotation.matches() ? Optional.ofNullable(annotations.get(annotation.group(1))) : Optional.empty();
    }

    private static Outcome<String> filled(String template, Function<String, Optional<String>> values) {
        StringBuilder text = new StringBuilder();
        Matcher place = PLACE.matcher(template);
        int end = 0;
        while (place.find()) {
            String token = place.group(1) == null ? place.group(2) : place.group(1);
            Optional<String> value = values.apply(token);
            if (value.isEmpty()) {
                return invalid("the secret template '" + template + "' has a place that cannot be filled: " + token);
            }
            text.append(template, end, place.start()).append(value.get());
            end = place.end();
        }
        return Outcome.done(text.append(template.substring(end)).toString());
    }

    private static Outcome<String> named(String text, Pattern pattern) {
        return pattern.matcher(text).matches()
                ? Outcome.done(text)
                : invalid("a secret template leads to '" + text + "', which is no name");
    }

    private static <T> Outcome<T> invalid(String why) {
        return Outcome.refused(Refusal.INVALID, why);
    }
}
