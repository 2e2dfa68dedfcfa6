// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.volumemanager.content.ContentPart.Fields;
import dev.mooring.volumemanager.content.ContentPart.Item;
import dev.mooring.volumemanager.content.ContentPart.Keys;
import dev.mooring.volumemanager.content.ContentPart.Resource;
import dev.mooring.volumemanager.content.ContentPart.Token;
import dev.mooring.volumemanager.downward.DownwardFields;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Computes a volume's files from a plan and the objects that it names (semantics/plugins §1.9). Pure. No answer holds a value, only names
 * of objects and keys.
 *
 * @param pod whose volume it is
 * @param configMaps by name; what is not there is missing in the cluster
 * @param secrets by name
 * @param tokens one for each that the plan names
 * @param allocatable what the pod's node has for pods, by resource; empty if that is not known or not needed
 */
record ContentBuilder(
        Pod pod,
        Map<String, ConfigMap> configMaps,
        Map<String, Secret> secrets,
        Map<Token, SecretValue> tokens,
        Map<String, Quantity> allocatable) {
    /** The files; refused with the first thing that is wrong or missing. */
    Outcome<Payload> build(ContentPlan plan) {
        if (plan.problem().isPresent()) {
            return Outcome.refused(Refusal.INVALID, plan.problem().get());
        }
        Payload.Builder payload = new Payload.Builder();
        for (ContentPart part : plan.parts()) {
            Optional<Outcome<Payload>> wrong = part.<Optional<Outcome<Payload>>>match(
                    keys -> add(payload, keys), fields -> add(payload, fields), token -> add(payload, token));
            if (wrong.isPresent()) {
                return wrong.get();
            }
        }
        return Outcome.done(payload.build());
    }

    private Optional<Outcome<Payload>> add(Payload.Builder payload, Keys keys) {
        Optional<Map<String, Supplier<byte[]>>> values = keys.secret() ? secret(keys) : configMap(keys);
        if (values.isEmpty()) {
            return keys.optional() ? Optional.empty() : missing(keys.title() + " not found");
        }
        if (keys.items().isEmpty()) {
            for (String key : values.get().keySet()) {
                Optional<Outcome<Payload>> wrong =
                        put(payload, keys.title(), values.get(), new Item(key, key, keys.mode()));
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
            return Optional.empty();
        }
        for (Item item : keys.items()) {
            if (values.get().containsKey(item.key())) {
                Optional<Outcome<Payload>> wrong = put(payload, keys.title(), values.get(), item);
                if (wrong.isPresent()) {
                    return wrong;
                }
            } else if (!keys.optional()) {
                return missing(keys.title() + " has no key \"" + item.key() + "\"");
            }
        }
        return Optional.empty();
    }

    private static Optional<Outcome<Payload>> put(
            Payload.Builder payload, String title, Map<String, Supplier<byte[]>> values, Item item) {
        byte[] content;
        try {
            content = Objects.requireNonNull(values.get(item.key())).get();
        } catch (IllegalArgumentException e) {
            return invalid(title + ": the value of key \"" + item.key() + "\" is not base64");
        }
        return payload.add(item.path(), content, item.mode()).flatMap(problem -> invalid(title + ": " + problem));
    }

    private Optional<Map<String, Supplier<byte[]>>> configMap(Keys keys) {
        return Optional.ofNullable(configMaps.get(keys.name())).map(found -> {
            Map<String, Supplier<byte[]>> values = new TreeMap<>();
            found.data().forEach((key, text) -> values.put(key, () -> text.getBytes(StandardCharsets.UTF_8)));
            found.binaryData()
                    .forEach((key, base64) ->
                            values.put(key, () -> Base64.getDecoder().decode(base64)));
            return values;
        });
    }

    private Optional<Map<String, Supplier<byte[]>>> secret(Keys keys) {
        return Optional.ofNullable(secrets.get(keys.name())).map(found -> {
            Map<String, Supplier<byte[]>> values = new TreeMap<>();
            found.data().forEach((key, hidden) -> values.put(key, hidden::revealBytes));
            return values;
        });
    }

    private Optional<Outcome<Payload>> add(Payload.Builder payload, Fields fields) {
        for (Item item : fields.items()) {
            byte[] content = DownwardFields.of(pod, item.key()).getBytes(StandardCharsets.UTF_8);
            Optional<String> problem = payload.add(item.path(), content, item.mode());
            if (problem.isPresent()) {
                return invalid("downwardAPI: " + problem.get());
            }
        }
        for (Resource resource : fields.resources()) {
            Outcome<String> number = resource.field().value(pod, allocatable);
            if (!number.isDone()) {
                return missing("downwardAPI: " + number.message());
            }
            byte[] content = number.result().orElseThrow().getBytes(StandardCharsets.UTF_8);
            Optional<String> problem = payload.add(resource.path(), content, resource.mode());
            if (problem.isPresent()) {
                return invalid("downwardAPI: " + problem.get());
            }
        }
        return Optional.empty();
    }

    private Optional<Outcome<Payload>> add(Payload.Builder payload, Token token) {
        SecretValue value = tokens.get(token);
        if (value == null) {
            return missing("there is no token of the service account");
        }
        TokenAccess access = TokenAccess.of(pod);
        return payload.add(token.path(), value.reveal(), access.mode(token.mode()), access.owner())
                .flatMap(problem -> invalid("serviceAccountToken: " + problem));
    }

    private static Optional<Outcome<Payload>> missing(String why) {
        return Optional.of(Outcome.refused(Refusal.NOT_FOUND, why));
    }

    private static Optional<Outcome<Payload>> invalid(String why) {
        return Optional.of(Outcome.refused(Refusal.INVALID, why));
    }
}
