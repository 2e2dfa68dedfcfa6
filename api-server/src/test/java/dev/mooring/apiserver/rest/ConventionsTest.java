// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.ListRules;
import dev.mooring.apiserver.rest.exchange.Presenter;
import dev.mooring.apiserver.rest.exchange.Representation;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.rest.object.Deletes;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Kubernetes' API conventions say about requests and refusals. */
class ConventionsTest {
    private static ApiRequest deletion(String body) {
        return new ApiRequest("DELETE", List.of("api"), Map.of(), "", "", body.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | false",
                "{'dryRun':null} | false",
                "{'dryRun':[]} | false",
                "{'dryRun':['All']} | true",
                "{'dryRun':['All','All']} | true"
            })
    void aDeletionIsARehearsalIfItSaysSo(String body, boolean dry) {
        assertThat(Deletes.of(deletion(body)).dryRun()).isEqualTo(dry);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'dryRun':['all']} | 422 | dryRun: Unsupported value: \"all\": supported values: \"All\"",
                "{'dryRun':['All','None']} | 422 | dryRun: Unsupported value",
                "{'dryRun':'All'} | 400 | dryRun: must be an array",
                "{'propagationPolicy':'background'} | 422 | propagationPolicy: Unsupported value: \"background\"",
                "{'propagationPolicy':'Orphan','orphanDependents':true} | 422 | cannot be both set"
            })
    void aDeletionThatIsMeantOtherwiseIsRefused(String body, int code, String message) {
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> Deletes.of(deletion(body)))
                .withMessageContaining(message)
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Required value | FieldValueRequired",
                "Invalid value: 3: must be 2 | FieldValueInvalid",
                "Unsupported value: \"x\" | FieldValueNotSupported",
                "Duplicate value: \"x\" | FieldValueDuplicate",
                "Not found: \"x\" | FieldValueNotFound",
                "Too long: may not be longer than 3 | FieldValueTooLong",
                "Too many: 3: must have at most 2 items | FieldValueTooMany",
                "Forbidden: no | FieldValueForbidden"
            })
    void aCauseHasKubernetesName(String error, String reason) {
        Failed<Document> failed =
                new Failed<>(Failure.INVALID, "Pod \"x\" is invalid: spec.field: " + error, Optional.empty());
        Document status = Statuses.of(Kinds.POD, "x", failed).status();
        List<Object> causes =
                new ArrayList<>((List<?>) status.at("details", "causes").orElseThrow());
        assertThat(causes).containsExactly(Map.of("reason", reason, "message", error, "field", "spec.field"));
    }

    @Test
    void whatAClientSentIsNoCause() {
        String sent = "a: Invalid value: \"x\\\", b: Forbidden: y\": no";
        Failed<Document> failed = new Failed<>(
                Failure.INVALID, "Pod \"x\" is invalid: [" + sent + ", c: Required value]", Optional.empty());
        Document status = Statuses.of(Kinds.POD, "x", failed).status();
        assertThat((List<?>) status.at("details", "causes").orElseThrow())
                .map(each -> ((Map<?, ?>) each).get("field"))
                .isEqualTo(List.of("a", "c"));
    }

    @Test
    void aVersionThatIsNotReachedYetIsKnownByItsCause() {
        RestFailure refusal = Statuses.tooLarge(Revision.parse("9"), Revision.parse("7"));
        assertThat(refusal.code()).isEqualTo(504);
        assertThat(refusal.status().at("details", "retryAfterSeconds")).contains(1L);
        assertThat(refusal.status().at("details", "causes").orElseThrow().toString())
                .contains("ResourceVersionTooLarge");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | TABLE",
                "application/json;as=Table;v=v2;g=meta.k8s.io,application/json | OBJECT",
                "application/json;as=PartialObjectMetadataTree;v=v1;g=meta.k8s.io,application/json | OBJECT",
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io | METADATA"
            })
    void aFormThatIsNotKnownIsPassedOver(String accept, Representation.Form form) {
        assertThat(Representation.of(accept, false).form()).isEqualTo(form);
    }

    private static ApiRequest list(String... parameters) {
        Map<String, List<String>> query = new HashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            query.put(parameters[i], List.of(parameters[i + 1]));
        }
        return new ApiRequest("GET", List.of("api"), query, "application/json;as=Table;v=v1;g=meta.k8s.io", "", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Exact | | | forbidden unless resourceVersion is provided",
                "Exact | 7 | x | forbidden when continue is provided",
                "Older | 7 | | supported values: \"Exact\", \"NotOlderThan\"",
                "Exact | 0 | | forbidden for resourceVersion \"0\""
            })
    void aMatchThatCannotBeKeptIsRefused(
            String match, @Nullable String version, @Nullable String token, String message) {
        ApiRequest request = list(
                "resourceVersionMatch",
                match,
                "resourceVersion",
                version == null ? "" : version,
                "continue",
                token == null ? "" : token);
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> ListRules.require(request))
                .withMessageContaining(message)
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(422));
    }

    @Test
    void aMatchThatCanBeKeptIsNot() {
        ListRules.require(list("resourceVersionMatch", "NotOlderThan", "resourceVersion", "0"));
        ListRules.require(list("resourceVersion", "0", "continue", "x"));
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> ListRules.require(list("resourceVersionMatch", "Exact")));
    }

    @Test
    void aTableOfObjectsInAnUnknownFormIsRefused() {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        assertThatExceptionOfType(RestFailure.class)
                .isThrownBy(() -> new Presenter(
                        Resources.of(Kinds.standard()).find("", "v1", "pods").orElseThrow(),
                        list("includeObject", "Half"),
                        clock))
                .withMessageContaining("unrecognized includeObject value: \"Half\"");
    }
}
